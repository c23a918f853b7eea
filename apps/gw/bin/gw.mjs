#!/usr/bin/env node
// `gw` in a checkout: the newest built program where none of its sources is newer, because compiling takes half a second, else the sources.
// It imports nothing: each module of Node.js that is imported costs the start one to four milliseconds.
const ROOT = `${import.meta.dirname}/../../..`;

/** A built program whose sources are as they were when it was built. Null without any, and under a Node.js that is too old for it. */
function builtProgram() {
  const files = process.getBuiltinModule?.('node:fs');
  if (files === undefined) return null;
  /** Milliseconds since 1970; 0 where there is no such file. */
  const changedAt = (path) => files.statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const [built] = ['serverless', 'on-premise']
    .map((profile) => `${ROOT}/dist/${profile}`)
    .map((folder) => ({ folder, at: changedAt(`${folder}/gw.js`) }))
    .sort((one, other) => other.at - one.at);
  if (built.at <= changedAt(`${ROOT}/package-lock.json`)) return null;
  try {
    const sources = files.readFileSync(`${built.folder}/gw/sources.txt`, 'latin1').split('\n');
    // One that was removed is in no program any more, unless another one has changed too.
    return sources.every((path) => changedAt(`${ROOT}/${path}`) <= built.at) ? `${built.folder}/gw.js` : null;
  } catch {
    return null; // the build is being replaced, or is an older one
  }
}

await import(builtProgram() ?? '../src/start.mjs');
