import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stripVTControlCharacters } from 'node:util';
import { type Refusal, refusal, sentenceOf, statusOf } from '@gateway/contract';
import { answerRefusal } from '../../apps/gateway/src/http/answer.ts';

/** Refusals that a developer meets, with what they mean. */
export const MET: readonly { readonly refused: Refusal; readonly title: string }[] = [
  { title: 'an unknown key', refused: refusal('key-unknown') },
  { title: 'no role for it', refused: refusal('role-missing') },
  { title: 'a revoked person', refused: refusal('subject-revoked') },
  { title: 'a revoked session', refused: refusal('session-revoked') },
  {
    title: 'an unknown endpoint',
    refused: refusal('endpoint-unknown', { details: { name: 'demo' }, members: { available: ['chat'] } }),
  },
  { title: 'a spent plan', refused: refusal('cap-reached') },
  {
    title: 'a secret in the prompt',
    refused: refusal('secret-detected', {
      details: { kind: 'access-token' },
      members: { code: 'secret-detected', kinds: ['access-token'], where: ['/messages/0/content'] },
    }),
  },
  { title: 'no decision possible', refused: refusal('undecided') },
];

/** A gateway that refuses everything, with the answers of the real one. */
export async function startRefusing() {
  let refused = refusal('undecided') as Refusal;
  let calls = 0;
  const server = createServer((request, response) => {
    calls += request.method === 'POST' ? 1 : 0;
    request.resume();
    request.once('end', () => answerRefusal(response, refused));
  });
  let upgrades = 0;
  server.on('upgrade', (_, socket) => {
    upgrades += 1;
    socket.end('HTTP/1.1 501 Not Implemented\r\ncontent-length: 0\r\nconnection: close\r\n\r\n');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    refuse(next: Refusal): void {
      refused = next;
      calls = 0;
    },
    /** Calls since. */
    calls: () => calls,
    /** Attempts to open a WebSocket, which the gateway refuses: a tool loses seconds with each. */
    upgrades: () => upgrades,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const BARE = /[^\p{L}\p{N}]+/gu;
const bare = (text: string): string => text.replaceAll(BARE, '').toLowerCase();
const LONGEST = 90;
/** Longer lines are those of a program, beside which a runtime shows where it failed. */
const LONGEST_LINE = 400;

/** What a tool shows of a refusal: the gateway's sentence, or the line of its own that says most. */
export function shownOf(said: string, refused: Refusal): string {
  const plain = stripVTControlCharacters(said);
  if (bare(plain).includes(bare(sentenceOf(refused)))) return 'the sentence';
  const lines = plain
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.length <= LONGEST_LINE);
  const own =
    lines.find((line) => line.includes(String(statusOf(refused)))) ??
    lines.find((line) => /error|fail|denied|unauthori[sz]ed/i.test(line)) ??
    lines.findLast((line) => line !== '');
  if (own === undefined) return 'nothing';
  const text = own
    .replaceAll('`', "'")
    .replaceAll('|', '/')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'localhost:6001');
  return `\`${text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text}\``;
}
