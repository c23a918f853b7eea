#!/usr/bin/env node
// `gw` in a checkout: the newest built program where no source is newer, because compiling takes half a second, else the sources.
import { readdirSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const SOURCES = ['apps/gw/src', ...['access', 'contract', 'ledger', 'secrets'].map((name) => `packages/${name}/src`)];

/** Milliseconds since 1970; 0 where there is no such file. */
function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function isUnchangedSince(instant, folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.name === 'node_modules' || entry.name.endsWith('.test.ts')) continue;
    if (entry.isDirectory() ? !isUnchangedSince(instant, path) : changedAt(path) > instant) return false;
  }
  return true;
}

const built = ['serverless', 'on-premise']
  .map((profile) => `${ROOT}dist/${profile}/gw.js`)
  .map((path) => ({ path, at: changedAt(path) }))
  .sort((one, other) => other.at - one.at)[0];
const isCurrent =
  built.at > changedAt(`${ROOT}package-lock.json`) &&
  SOURCES.every((folder) => isUnchangedSince(built.at, ROOT + folder));
await import(isCurrent ? built.path : '../src/start.mjs');
