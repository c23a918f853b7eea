import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ACTIONS, type ChainName, type CheckpointSigner, DECISIONS } from '@gateway/database';
import type { LogTrees } from '@gateway/database/gateway';
import {
  NoteFault,
  openTreeCheckpoint,
  partsOfOrigin,
  type TreeCheckpoint,
  TreeFault,
  toNoteKey,
} from '@gateway/ledger';
import type { Witness } from '../../config/service.ts';
import type { Report } from '../../process/report.ts';
import type { Upstreams } from '../../upstream/upstreams.ts';
import { collectCosignatures } from './witnesses.ts';

/** A reader finds the file as it was, or the new text. */
export function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.writing`, text, { mode: 0o644 });
  renameSync(`${file}.writing`, file);
}

export interface TreeNoteOptions {
  readonly trees: LogTrees;
  readonly signer: CheckpointSigner;
  /** GATEWAY_CHECKPOINT_FILE: the notes are written beside it. */
  readonly file: string;
  readonly witnesses: readonly Witness[];
  readonly upstreams: Upstreams;
  readonly report: Report;
}

/** Checkpoints in note form, by their logs. */
export type TreeNotes = Readonly<Partial<Record<ChainName, string>>>;

/** Publishes the checkpoints in note form. */
export interface TreeNotePublisher {
  /** Signs and writes one for each log. @throws DatabaseUnavailable */
  publish(): Promise<TreeNotes>;
  /** Asks the witnesses about the last ones, and writes their lines. @returns the notes; null where no witness cosigned. */
  cosign(stopping: AbortSignal): Promise<TreeNotes | null>;
}

/** `checkpoint.note` → `checkpoint.authorization_decisions.note` */
function fileOf(file: string, chain: ChainName): string {
  return join(dirname(file), `${basename(file).replace(/\.note$/, '')}.${chain}.note`);
}

export function createTreeNotes(options: TreeNoteOptions): TreeNotePublisher {
  const { trees, signer, file, witnesses, upstreams, report } = options;
  const last = new Map<ChainName, TreeCheckpoint>();

  /** The published checkpoint before, if this gateway signed it: null where there is none. */
  function before(chain: ChainName, { origin }: TreeCheckpoint): TreeCheckpoint | null {
    const key = toNoteKey(partsOfOrigin(origin).name, signer.signer.publicKey);
    try {
      const checkpoint = openTreeCheckpoint(readFileSync(fileOf(file, chain), 'utf8'), [key]);
      return checkpoint.origin === origin ? checkpoint : null;
    } catch (error) {
      if (error instanceof NoteFault || (error instanceof Error && 'code' in error)) return null;
      throw error;
    }
  }

  /** A fork must not be continued silently: a restored backup, or a standby without the last entries. */
  async function checkContinued(chain: ChainName, next: TreeCheckpoint): Promise<void> {
    const old = before(chain, next);
    if (old === null || (await trees.isContinued(chain, old, next))) return;
    report(
      `${next.origin}: the log of ${next.size} entries does not continue the published checkpoint of ${old.size}. A backup was restored, a standby ` +
        `without the last entries promoted, or the log was changed. The old checkpoint is kept as ${fileOf(file, chain)}.before`,
      'error',
    );
    replaceFile(`${fileOf(file, chain)}.before`, old.note);
  }

  async function publishOne(chain: ChainName): Promise<void> {
    try {
      const checkpoint = await trees.sign(chain, signer);
      await checkContinued(chain, checkpoint);
      replaceFile(fileOf(file, chain), checkpoint.note);
      last.set(chain, checkpoint);
    } catch (error) {
      last.delete(chain);
      if (!(error instanceof TreeFault)) throw error;
      report(`GATEWAY_CHECKPOINT_FILE: no checkpoint of the tree of ${chain} was signed. ${error.message}`, 'error');
    }
  }

  return {
    async publish() {
      for (const chain of [DECISIONS, ACTIONS] as const) await publishOne(chain);
      return Object.fromEntries([...last].map(([chain, { note }]) => [chain, note]));
    },
    async cosign(stopping) {
      if (witnesses.length === 0) return null;
      const notes: Partial<Record<ChainName, string>> = {};
      let cosigned = false;
      await Promise.all(
        [...last].map(async ([chain, checkpoint]) => {
          notes[chain] = checkpoint.note;
          const path = (one: TreeCheckpoint, old: number) => trees.path(chain, old, one.size);
          await collectCosignatures(witnesses, checkpoint, { upstreams, path, report }, stopping, (lines) => {
            notes[chain] = `${notes[chain]}${lines.join('')}`;
            replaceFile(fileOf(file, chain), notes[chain]);
            cosigned = true;
          });
        }),
      );
      return cosigned ? notes : null;
    },
  };
}
