import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '@gateway/contract/error-code';
import { NoteFault, readTreeCheckpoint, type TreeCheckpoint } from '@gateway/ledger';
import { CommandFailed } from '../context/fault.ts';

/** The last checkpoint of each log that a witness cosigned, one file for each. */
export interface WitnessState {
  /** Null where none is known. */
  read(origin: string): TreeCheckpoint | null;
  /** Durable once it returns: a witness that was killed never knows less than it has answered. */
  write(checkpoint: TreeCheckpoint): void;
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function replace(directory: string, path: string, text: string): void {
  const beside = `${path}.writing`;
  const descriptor = openSync(beside, 'w', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(beside, path);
  sync(directory);
}

/** @throws CommandFailed where the directory cannot be used. */
export function openWitnessState(directory: string): WitnessState {
  const known = new Map<string, TreeCheckpoint | null>();
  const pathOf = (origin: string) => join(directory, `${Buffer.from(origin).toString('base64url')}.checkpoint`);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    sync(directory);
  } catch (error) {
    throw new CommandFailed(`--state: ${directory} cannot be used (${errorCode(error)}).`);
  }

  function load(origin: string): TreeCheckpoint | null {
    const path = pathOf(origin);
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
    try {
      return readTreeCheckpoint(text);
    } catch (error) {
      // Without its last checkpoint a witness would cosign a fork.
      if (error instanceof NoteFault) throw new CommandFailed(`${path} is damaged: restore it. ${error.message}`);
      throw error;
    }
  }

  return {
    read(origin) {
      const found = known.get(origin);
      if (found !== undefined) return found;
      const loaded = load(origin);
      known.set(origin, loaded);
      return loaded;
    },
    write(checkpoint) {
      // Where it fails, the file decides: the old checkpoint, or the new one.
      known.delete(checkpoint.origin);
      replace(directory, pathOf(checkpoint.origin), checkpoint.note);
      known.set(checkpoint.origin, checkpoint);
    },
  };
}
