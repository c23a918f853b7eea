import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ChainedEntry, makeCheckpoint, writeExportedEntry } from '@gateway/ledger';
import { CHAIN, TAMPERINGS } from '../../packages/ledger/src/testing/tamperings.ts';
import type { Random } from '../support/random.ts';
import { AGAINST_CHECKPOINT } from './against-checkpoint.ts';
import type { Case } from './log.ts';
import type { Detected } from './suite.ts';

const GATEWAYCTL = fileURLToPath(new URL('../../apps/gatewayctl/src/main.ts', import.meta.url));

/** What `gatewayctl journal verify --export` says about an untouched export, and about tampered ones. */
export interface CommandReport extends Detected {
  readonly isUntouchedIntact: boolean;
}

export const KINDS: readonly string[] = [...Object.keys(TAMPERINGS), ...Object.keys(AGAINST_CHECKPOINT)];

/** Verifies exported files with the command itself: each of `kinds` of tampering at `samples` positions. */
export function verifyByCommand(log: Case, samples: number, random: Random, kinds = KINDS): CommandReport {
  const { entries, signers, intruder } = log;
  const folder = mkdtempSync(join(tmpdir(), 'gateway-tampering-'));
  const path = (name: string): string => join(folder, name);
  const end = entries[entries.length - 1] as ChainedEntry;
  writeFileSync(path('keys.pem'), [...signers, intruder].map(({ publicKey }) => publicKey).join(''));
  writeFileSync(path('own-keys.pem'), signers.map(({ publicKey }) => publicKey).join(''));
  writeFileSync(path('note'), makeCheckpoint(signers[1], new Date().toISOString(), [{ ...end, chain: CHAIN }]));
  const isIntact = (made: Iterable<ChainedEntry>, keys: string): boolean => {
    const lines = Array.from(made, (one) => `${writeExportedEntry({ ...one, chain: CHAIN })}\n`);
    writeFileSync(path('export.jsonl'), lines.join(''));
    const words = ['journal', 'verify', '--export', path('export.jsonl'), '--public-key', path(keys)];
    const ran = spawnSync(process.execPath, [GATEWAYCTL, ...words, '--since', path('note')], { encoding: 'utf8' });
    if (ran.status !== 0 && ran.status !== 1) throw new Error(`gatewayctl exited with ${ran.status}: ${ran.stderr}`);
    return ran.status === 0;
  };
  try {
    const isUntouchedIntact = isIntact(entries, 'own-keys.pem');
    let positions = 0;
    let detected = 0;
    const count = (isFound: boolean): void => {
      positions += 1;
      detected += isFound ? 1 : 0;
    };
    for (let sample = 0; sample < samples; sample += 1) {
      const index = random.below(entries.length);
      for (const kind of kinds) {
        const tamper = TAMPERINGS[kind];
        const make = AGAINST_CHECKPOINT[kind];
        if (tamper) count(!isIntact(tamper(entries, index, intruder), 'own-keys.pem'));
        if (make) {
          const made = [...entries.slice(0, index), ...make(log, index, entries.length, random)];
          count(!isIntact(made, 'keys.pem'));
        }
      }
    }
    return { positions, detected, isUntouchedIntact };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
