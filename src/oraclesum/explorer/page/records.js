// Reads JSON lines in the browser: records with sentences or text, references, and systems.

const BLANK = /^\s*$/;

// {records, problems}: what can be opened, and what was wrong with which line.
export function readRecords(text) {
  const records = [];
  const problems = [];
  const whole = asArray(text);
  if (whole !== null) {
    whole.forEach((value, i) => take(value, `record ${i + 1}`));
    return { records, problems };
  }
  text.split(/\r?\n/).forEach((line, i) => {
    if (BLANK.test(line)) return;
    try {
      take(JSON.parse(line), `line ${i + 1}`);
    } catch {
      problems.push(`line ${i + 1}: not JSON`);
    }
  });
  return { records, problems };

  function take(value, place) {
    const wrong = findProblem(value);
    if (wrong === null) records.push(pickFields(value, place));
    else problems.push(`${place}: ${wrong}`);
  }
}

// A JSON array or a single object over several lines is taken as well.
function asArray(text) {
  const first = text.trimStart()[0];
  if (first !== "[" && first !== "{") return null;
  try {
    const value = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return null;
  }
}

const isTexts = (value) => Array.isArray(value) && value.every((item) => typeof item === "string");

function findProblem(value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return "not an object";
  if (!isTexts(value.sentences) && typeof value.text !== "string") return "neither “sentences” (a list of text) nor “text”";
  if (!Array.isArray(value.references) || value.references.length === 0) return "no “references”";
  if (!value.references.every((one) => typeof one === "string" || isTexts(one))) return "“references” must hold texts or lists of text";
  return null;
}

// Only the fields the server knows.
function pickFields(value, place) {
  const record = isTexts(value.sentences) ? { sentences: value.sentences } : { text: value.text };
  record.references = value.references;
  record.id = ["string", "number"].includes(typeof value.id) ? String(value.id) : place;
  if (value.systems && typeof value.systems === "object" && !Array.isArray(value.systems)) record.systems = value.systems;
  return { record, language: typeof value.language === "string" ? value.language : null };
}
