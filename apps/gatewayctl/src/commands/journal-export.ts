import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';
import { errorCode } from '@gateway/contract/error-code';
import { DECISIONS, readChain, readChainEnd } from '@gateway/database';
import { writeExportedEntry } from '@gateway/ledger';
import type { Context } from '../context/context.ts';
import { CommandFailed } from '../context/fault.ts';
import { showProgress } from '../context/progress.ts';
import { chosenLog, type LogOption } from '../journal/logs.ts';
import { withDatabase } from '../operator/owner-database.ts';
import { sequenceOf } from '../operator/sequence.ts';

export interface JournalExportOptions extends LogOption {
  readonly after?: string;
  readonly output?: string;
}

interface Sink {
  write(text: string): Promise<void>;
  end(): Promise<void>;
}

function sinkFor({ terminal }: Context, output: string | undefined): Sink {
  if (output === undefined) return { write: (text) => terminal.write(text), end: async () => {} };
  const file = createWriteStream(output, { mode: 0o600 });
  const done = finished(file);
  done.catch(() => {}); // reported by the write or by the end
  const failed = (error: unknown): never => {
    throw new CommandFailed(`${output} cannot be written (${errorCode(error)}).`);
  };
  return {
    async write(text) {
      if (!file.write(text)) await Promise.race([once(file, 'drain'), done]).catch(failed);
    },
    async end() {
      file.end();
      await done.catch(failed);
    },
  };
}

/**
 * `journal export [--log decisions|administration] [--after SEQUENCE] [--output FILE]`: one JSON object a line, with the digests
 * and seals, so that it can be verified elsewhere.
 */
export async function runJournalExport(context: Context, options: JournalExportOptions): Promise<void> {
  const { output } = options;
  const name = chosenLog(options) ?? DECISIONS;
  const after = sequenceOf('--after', options.after);
  await withDatabase(context.environment, async (sql) => {
    const { lastEntry } = await readChainEnd(sql, name);
    const sink = sinkFor(context, output);
    const progress = showProgress(context.terminal, name, lastEntry);
    try {
      for await (const entry of readChain(sql, name, lastEntry, { after })) {
        await sink.write(`${writeExportedEntry({ chain: name, ...entry })}\n`);
        if (entry.sequence % 1024n === 0n) progress.at(entry.sequence);
      }
    } finally {
      progress.end();
      await sink.end();
    }
  });
}
