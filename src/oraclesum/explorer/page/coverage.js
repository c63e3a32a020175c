// What sets of sentences cover in the references: n-grams, hits, and spans of text to highlight.

// How often each n-gram of the references occurs in a set of sentences.
export function countNgrams(family, sentences) {
  const counts = new Map();
  for (const i of sentences) {
    for (const [id] of family.sentences[i].ngrams) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return counts;
}

// Hits of a set: every n-gram counts in each reference at most as often as it stands there.
export function countHits(family, counts) {
  let hits = 0;
  for (const [id, times] of counts) {
    for (const limit of family.ngrams[id].counts) hits += Math.min(times, limit);
  }
  return hits;
}

export function hitsOf(family, sentences) {
  return countHits(family, countNgrams(family, sentences));
}

export function wordsOf(family, sentences) {
  return sentences.reduce((sum, i) => sum + family.sentences[i].words, 0);
}

// What one sentence is worth alone, and beside a set: added, or lost if the set contains it.
export function marginal(family, sentence, set) {
  const alone = hitsOf(family, [sentence]);
  if (set === null) return { alone };
  const inside = set.includes(sentence);
  const others = set.filter((i) => i !== sentence);
  const difference = hitsOf(family, [...others, sentence]) - hitsOf(family, others);
  return { alone, inside, difference };
}

// The occurrences of n-grams in a reference that counts cover: the first ones, as many as count.
export function coveredOccurrences(reference, counts) {
  const left = new Map(counts);
  const firsts = [];
  for (const [id, first] of reference.ngrams) {
    const times = left.get(id) ?? 0;
    if (times <= 0) continue;
    left.set(id, times - 1);
    firsts.push(first);
  }
  return firsts;
}

// An n-gram as a reference writes it, rather than as stems.
function nameNgram(family, id) {
  for (const { text, tokens, ngrams } of family.references) {
    const found = ngrams.find(([one]) => one === id);
    if (found === undefined) continue;
    const last = Math.min(found[1] + family.marked, tokens.length) - 1;
    return text.slice(tokens[found[1]][0], tokens[last][1]);
  }
  return family.ngrams[id].words;
}

// The n-grams in which two sets differ, with the hits each gains or loses from X to Y.
export function differ(family, x, y) {
  const from = countNgrams(family, x);
  const to = countNgrams(family, y);
  const gained = [];
  const lost = [];
  for (const id of new Set([...from.keys(), ...to.keys()])) {
    let change = 0;
    for (const limit of family.ngrams[id].counts) {
      change += Math.min(to.get(id) ?? 0, limit) - Math.min(from.get(id) ?? 0, limit);
    }
    const entry = { words: nameNgram(family, id), hits: Math.abs(change) };
    if (change > 0) gained.push(entry);
    if (change < 0) lost.push(entry);
  }
  const order = (a, b) => b.hits - a.hits || a.words.localeCompare(b.words);
  return { gained: gained.sort(order), lost: lost.sort(order) };
}

// Cuts a text into runs of equal marks. `layers` maps a name to the first tokens of its n-grams.
// A gap between two tokens is marked only if one n-gram spans it, so that the highlighting shows
// exactly which n-grams count.
export function cutRuns(text, tokens, n, layers) {
  const names = Object.keys(layers);
  const onToken = new Uint8Array(tokens.length);
  const onGap = new Uint8Array(tokens.length + 1); // gap i stands before token i
  names.forEach((name, bit) => {
    for (const first of layers[name]) {
      const last = Math.min(first + n, tokens.length);
      for (let t = first; t < last; t++) {
        onToken[t] |= 1 << bit;
        if (t > first) onGap[t] |= 1 << bit;
      }
    }
  });
  const runs = [];
  const push = (start, end, flags) => {
    if (start >= end) return;
    const before = runs.at(-1);
    if (before && before.flags === flags) before.text += text.slice(start, end);
    else runs.push({ flags, text: text.slice(start, end) });
  };
  let at = 0;
  tokens.forEach(([start, end], t) => {
    push(at, start, onGap[t]);
    push(start, end, onToken[t]);
    at = end;
  });
  push(at, text.length, 0);
  return runs.map((run) => ({ text: run.text, names: names.filter((_, bit) => run.flags & (1 << bit)) }));
}
