// Packs a document into the address and back: JSON, deflated, in letters that need no escaping.

// Beyond this, mail programs, chats and some browsers cut links off.
export const LONGEST_LINK = 1_500_000;

async function pump(bytes, transform) {
  const stream = new Blob([bytes]).stream().pipeThrough(transform);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function pack(value) {
  const bytes = await pump(new TextEncoder().encode(JSON.stringify(value)), new CompressionStream("deflate-raw"));
  let text = "";
  const piece = 0x8000; // String.fromCharCode takes its letters as arguments, which are limited
  for (let at = 0; at < bytes.length; at += piece) text += String.fromCharCode(...bytes.subarray(at, at + piece));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function unpack(packed) {
  const text = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(await pump(bytes, new DecompressionStream("deflate-raw"))));
}

// Whether an unpacked value has the shape of a document; the server checks the rest.
export function isDocument(value) {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  const texts = (list) => Array.isArray(list) && list.every((item) => typeof item === "string");
  const body = typeof value.text === "string" || texts(value.sentences);
  return body && Array.isArray(value.references);
}
