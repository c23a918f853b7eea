import {
  CheckpointFault,
  createSigner,
  ExportFault,
  generateSigningKey,
  makeCheckpoint,
  readCheckpoint,
  readExportedEntry,
  readVerificationKey,
  verifyChain,
  writeExportedEntry,
} from '@gateway/ledger';
import { CHAIN } from '../../../packages/ledger/src/testing/tamperings.ts';
import { randomOf } from '../../support/random.ts';
import { logOf } from '../../tampering/log.ts';
import { mutated } from '../mutate.ts';
import { Finding, type Target } from '../target.ts';

/** Archives of the log, and checkpoints: no modified one is accepted as intact. */
export const exports: Target = {
  name: 'exports',
  share: 4,
  concurrency: 1,
  async open() {
    const signer = createSigner(generateSigningKey());
    const key = readVerificationKey(signer.publicKey);
    const keys = new Map([[key.id, key]]);
    const entries = logOf(4, [signer, signer], randomOf(1));
    const text = entries.map((one) => `${writeExportedEntry({ ...one, chain: CHAIN })}\n`).join('');
    const last = entries[entries.length - 1] ?? null;
    if (last === null) throw new Error('The log is empty.');
    const note = makeCheckpoint(signer, '2026-01-01T00:00:00.000Z', [{ ...last, chain: CHAIN }]);
    const [logs, notes] = [[Buffer.from(text)], [Buffer.from(note)]];
    const words = ['"seal":null', '"sequence":1,', '"chain":"administration_actions"', key.id, last.digest, '1e0'];
    async function* lines(of: string) {
      for (const line of of.split('\n').slice(0, -1)) {
        const entry = readExportedEntry(line);
        if (entry.chain !== CHAIN) throw new ExportFault('is of another log');
        yield entry;
      }
    }
    return {
      async run(random) {
        const isLog = random.below(4) > 0;
        const input = mutated(isLog ? logs : notes, random, words).toString();
        try {
          if (isLog) {
            const verdict = await verifyChain(lines(input), { chain: CHAIN, keys, checkpoint: last });
            if (!verdict.ok) return 'refused';
            if (input.slice(0, input.lastIndexOf('\n') + 1) !== text)
              throw new Finding('A changed log is intact.', input);
          } else {
            readCheckpoint(input, keys);
            if (input.replaceAll('\r\n', '\n').trim() !== note.trim())
              throw new Finding('A changed note is taken.', input);
          }
          return 'accepted';
        } catch (error) {
          if (error instanceof ExportFault || error instanceof CheckpointFault) return 'refused';
          throw error;
        }
      },
    };
  },
};
