import { readFile } from 'node:fs/promises';
import {
  type Checkpoint,
  CheckpointFault,
  NoteFault,
  type NoteKey,
  readCheckpoint,
  readNoteKey,
  readVerificationKeys,
  SigningKeyFault,
  type VerificationKey,
} from '@gateway/ledger';
import { CommandFailed } from '../context/context.ts';
import { readText } from '../context/find.ts';

/** Public keys by their id. */
export type Keys = ReadonlyMap<string, VerificationKey>;

async function contents(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailed(`${file} cannot be read (${error.code}).`);
  });
}

/** The public keys of files that an auditor was handed. */
export async function keysIn(files: readonly string[]): Promise<Keys> {
  const keys = new Map<string, VerificationKey>();
  for (const file of files) {
    try {
      for (const key of readVerificationKeys(await contents(file))) keys.set(key.id, key);
    } catch (error) {
      if (error instanceof SigningKeyFault) throw new CommandFailed(`${file} ${error.message}.`);
      throw error;
    }
  }
  return keys;
}

/** A checkpoint from a file. It is trusted once a trusted key's signature over it is verified. */
export interface Note {
  readonly file: string;
  readonly text: string;
}

/** The note itself, also from a file with the output of `journal checkpoint --json`. */
function noteIn(text: string): string {
  if (!text.trimStart().startsWith('{')) return text;
  try {
    const { checkpoint }: { readonly checkpoint?: unknown } = JSON.parse(text.replace(/^\ufeff/, ''));
    return typeof checkpoint === 'string' ? checkpoint : '';
  } catch {
    return '';
  }
}

export async function noteOf(file: string | undefined): Promise<Note | null> {
  return file === undefined ? null : { file, text: noteIn(await contents(file)) };
}

export function checkpointOf(note: Note | null, keys: Keys): Checkpoint | null {
  try {
    return note && readCheckpoint(note.text, keys);
  } catch (error) {
    if (error instanceof CheckpointFault) throw new CommandFailed(`${note?.file}: ${error.message}`);
    throw error;
  }
}

const NOTE_KEY = /^[^\s+]+\+[0-9a-f]{8}\+\S+$/;

/** The keys that an option names: one key in note form, or a file with one on each line. Lines with # are comments. */
export function readNoteKeysGiven(given: string): readonly NoteKey[] {
  const isKey = NOTE_KEY.test(given.trim());
  const lines = (isKey ? given : readText(given)).split('\n').map((line) => line.trim());
  const keys = lines.filter((line) => line !== '' && !line.startsWith('#'));
  if (keys.length === 0) throw new CommandFailed(`${given} contains no key.`);
  return keys.map((line) => {
    try {
      return readNoteKey(line);
    } catch (error) {
      if (error instanceof NoteFault)
        throw new CommandFailed(`The key ${isKey ? line : `in ${given}`} ${error.message}.`);
      throw error;
    }
  });
}
