import { NoteFault, type NoteKey, readNoteKey } from '@gateway/ledger';
import { CommandFailed } from '../context/fault.ts';
import { readText } from '../context/text-file.ts';

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
