// Numbers as people read them: counts of any size, scores, shares.

const WHOLE = new Intl.NumberFormat("en-US");
const LONGEST = 15; // digits that are still read as a number; beyond, powers of ten
const SUPERSCRIPT = "⁰¹²³⁴⁵⁶⁷⁸⁹";

// An exponent in raised digits.
export const raised = (power) => String(power).replace(/\d/g, (digit) => SUPERSCRIPT[Number(digit)]);

export function whole(value) {
  return WHOLE.format(typeof value === "string" ? BigInt(value) : value);
}

// A count given as decimal digits: 31,044,096 or 3.17 × 10²³.
export function count(digits) {
  const text = String(digits);
  if (text.length <= LONGEST) return whole(text);
  const power = text.length - 1;
  const rounded = Number(`${text[0]}.${text.slice(1, 5)}`).toFixed(2);
  const carried = rounded === "10.00" ? { lead: "1.00", power: power + 1 } : { lead: rounded, power };
  return `${carried.lead} × 10${raised(carried.power)}`;
}

export const isLong = (digits) => String(digits).length > LONGEST;

export const score = (value) => value.toFixed(5);

// A share as a percentage that never rounds to 0 or 100 what is neither.
export function percent(share) {
  if (share === 0) return "0 %";
  if (share === 1) return "100 %";
  if (share < 0.005) return "< 1 %";
  if (share > 0.995) return "> 99 %";
  return `${Math.round(share * 100)} %`;
}

export function plural(number, one, many = `${one}s`) {
  const single = String(number) === "1";
  return `${typeof number === "number" ? whole(number) : count(number)} ${single ? one : many}`;
}

export function seconds(value) {
  if (value < 0.001) return "under 1 ms";
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  return `${value.toFixed(1)} s`;
}

// A long name with its middle left out: names of one corpus often begin alike.
export function elide(name, max = 25) {
  if (name.length <= max) return name;
  const tail = Math.ceil((max - 1) * 0.6);
  return `${name.slice(0, max - 1 - tail)}…${name.slice(-tail)}`;
}

// A remark as a sentence of its own.
export function asSentence(text) {
  const begun = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

// log10 of decimal digits of any length, for charts.
export function log10(digits) {
  const text = String(digits);
  if (text === "0") return 0;
  return text.length - 1 + Math.log10(Number(`${text[0]}.${text.slice(1, 16) || 0}`));
}
