// Talks to the server: JSON requests with readable errors, and the stream of the curve.

export class ApiError extends Error {
  constructor(message, { status = 0, field = null } = {}) {
    super(message);
    this.status = status;
    this.field = field;
  }
}

async function request(path, { method = "GET", body, signal } = {}) {
  let answer;
  try {
    answer = await fetch(path, {
      method,
      signal,
      headers: body === undefined ? {} : { "Content-Type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError("The server does not answer. Is “oraclesum serve” still running?");
  }
  if (!answer.ok) throw await asError(answer);
  return answer;
}

async function asError(answer) {
  let told = {};
  try {
    told = await answer.json();
  } catch {
    // no JSON: the status has to say it
  }
  const text = typeof told.error === "string" ? told.error : `The server answered ${answer.status}.`;
  return new ApiError(text, { status: answer.status, field: told.field ?? null });
}

async function json(path, options) {
  return (await request(path, options)).json();
}

const query = (values) => {
  const given = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== "");
  return new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
};

export const about = () => json("/api/about");
export const topics = (page, signal) => json(`/api/topics?${query(page)}`, { signal });
export const family = (document, settings, signal) =>
  json("/api/families", { method: "POST", body: { document, settings }, signal });
export const oracles = (key, page, signal) => json(`/api/families/${key}/oracles?${query(page)}`, { signal });
export const overlap = (key, system, signal) =>
  json(`/api/families/${key}/overlap`, { method: "POST", body: { system }, signal });
export const downloadPath = (key, list) => `/api/families/${key}/download?${query({ list })}`;
export const inputPath = (key) => `/api/families/${key}/input`;

// Follows the curve: `take(event, data)` for each event until the end, or until the signal.
export async function curve(key, range, signal, take) {
  const answer = await request(`/api/families/${key}/curve?${query(range)}`, { signal });
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    rest += value.replaceAll("\r\n", "\n");
    const blocks = rest.split("\n\n");
    rest = blocks.pop();
    for (const block of blocks) {
      const event = parseEvent(block);
      if (event !== null) take(event.name, event.data);
    }
  }
}

function parseEvent(block) {
  let name = "message";
  const data = [];
  for (const line of block.split("\n")) {
    if (line.startsWith("event:")) name = line.slice(6).trim();
    else if (line.startsWith("data:")) data.push(line.slice(5).trimStart());
  }
  return data.length ? { name, data: JSON.parse(data.join("\n")) } : null;
}
