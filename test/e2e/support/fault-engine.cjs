/**
 * The real engine with faults between it and the window: answers that come late, fail, hold nothing or hold something else, and an end of
 * the process. Takes the place of `.vite/build/engine.cjs` in a scratch copy of the app.
 *
 * FIRSTFAULT_FAULTS names a JSON file { METHOD: { delayMs?, error?: { code, detail }, value?, set?: [[path, value]], exit? } }, read anew
 * for each answer, so that a test can change what happens while the window is open. FIRSTFAULT_REAL_ENGINE names the built engine.
 */
'use strict';
const fs = require('node:fs');

function faults() {
  try {
    return JSON.parse(fs.readFileSync(process.env.FIRSTFAULT_FAULTS, 'utf8'));
  } catch {
    return {};
  }
}

/** `set` writes a value at a path of the answer: ['summary', 'partial']. */
function changed(value, set) {
  const copy = structuredClone(value);
  for (const [path, next] of set) {
    let at = copy;
    for (const name of path.slice(0, -1)) at = at[name];
    at[path.at(-1)] = next;
  }
  return copy;
}

function answerOf(message, { error, value, set }) {
  const { t, id } = message;
  if (error !== undefined) return { t, id, ok: false, error };
  if (value !== undefined) return { t, id, ok: true, value };
  return set !== undefined && message.ok ? { ...message, value: changed(message.value, set) } : message;
}

/** Requests and answers of one window pass through here. */
function spoil(port) {
  const methods = new Map();
  const on = port.on.bind(port);
  const post = port.postMessage.bind(port);
  port.on = (event, listener) =>
    on(event, (...args) => {
      const data = args[0]?.data;
      if (event === 'message' && typeof data?.method === 'string') methods.set(data.id, data.method);
      return listener(...args);
    });
  port.postMessage = (message) => {
    const method = message?.t === 'res' ? methods.get(message.id) : undefined;
    const fault = method === undefined ? undefined : faults()[method];
    if (method !== undefined) methods.delete(message.id);
    if (fault === undefined) return post(message);
    if (fault.exit === true) process.exit(7);
    const answer = answerOf(message, fault);
    if (fault.delayMs > 0) setTimeout(() => post(answer), fault.delayMs);
    else post(answer);
  };
  return port;
}

const parent = process.parentPort;
const onParent = parent.on.bind(parent);
parent.on = (event, listener) =>
  onParent(event, (message) => listener({ data: message.data, ports: message.ports.map(spoil) }));

require(process.env.FIRSTFAULT_REAL_ENGINE);
