import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createOutgoing } from './outgoing.ts';
import { ocsfFaults } from './testing/ocsf-schema.ts';
import { actionRecord, actRecord, decisionRecord, detectionRecord } from './testing/records.ts';

/** In pieces, so that this file contains nothing like a live credential. */
const TOKEN = ['ghp', 'R7mQx2Lk9TfWb4ZsVn6YcJd8HgPa3EuN5t1K'].join('_');

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** A UUID of version 4, the same for the same text. */
function identifierOf(text: string): string {
  const [a, b, c, d, e] = /(.{8})(.{4}).(.{3}).(.{3})(.{12})/.exec(digestOf(text))?.slice(1) ?? [];
  return `${a}-${b}-4${c}-8${d}-${e}`;
}

describe('what leaves for the collector', () => {
  it('is the event of its entry, on one line', () => {
    const record = decisionRecord({ resource: 'endpoint:a\nb\u2028' });
    const out = createOutgoing(8192)(record);
    expect(out).toMatchObject({ source: 'decisions', position: 7n, uid: record.decision.id, severity: 1 });
    expect(out.time).toBe(Date.parse(record.decision.at));
    expect(out.json).not.toMatch(/[\r\n]/);
    expect(JSON.parse(out.json)).toMatchObject({ resources: [{ name: 'endpoint:a\nb\u2028' }] });
  });

  it('never contains a possible secret, in any field', () => {
    const outgoing = createOutgoing(8192);
    const records = [
      decisionRecord({
        subject: TOKEN,
        session: TOKEN,
        resource: `endpoint:${TOKEN}`,
        requestId: TOKEN,
        detail: TOKEN,
      }),
      actionRecord({
        target: TOKEN,
        newValue: JSON.stringify({ reason: `for ${TOKEN}` }),
        oldValue: JSON.stringify(TOKEN),
      }),
      actionRecord({ newValue: JSON.stringify({ cedar: JSON.stringify({ deep: TOKEN }) }) }),
      actRecord({ target: { kind: 'command', value: `curl -H "Authorization: Bearer ${TOKEN}"` }, reason: TOKEN }),
      detectionRecord({}, { subject: TOKEN, resource: 'endpoint:x', session: TOKEN, sourceAddress: null }),
    ];
    for (const record of records) {
      const { json } = outgoing(record);
      expect(json).not.toContain(TOKEN.slice(4, 14));
      expect(json).toContain('[secret:access-token]');
      expect(ocsfFaults(JSON.parse(json))).toEqual([]);
    }
  });

  it('does not take identifiers and digests for secrets', () => {
    const outgoing = createOutgoing(8192);
    for (let round = 0; round < 200; round += 1) {
      const digest = digestOf(String(round));
      const one = (what: string) => identifierOf(`${what} ${round}`);
      for (const record of [
        { ...decisionRecord({ session: one('session'), requestId: one('request'), keyId: one('key') }), digest },
        detectionRecord({ digest, decisionId: one('decision') }),
        actRecord({ session: one('act') }),
        {
          ...actionRecord({
            newValue: JSON.stringify({ id: one('provider'), keyLabel: 'laptop', apiKeyEnv: 'ENGINE_KEY' }),
          }),
          digest,
        },
      ])
        expect(outgoing(record).json).not.toContain('[secret:');
    }
  });

  it('never exceeds the requested length, and follows the schema for any entry', () => {
    const text = fc.string({ unit: 'binary', maxLength: 9000 });
    const outgoing = createOutgoing(4096);
    fc.assert(
      fc.property(text, text, text, text, (one, two, three, four) => {
        const long = [
          decisionRecord({
            subject: one,
            session: two,
            detail: three,
            resource: `endpoint:${four}`,
            requestId: `r${one}`,
          }),
          actionRecord({
            target: `provider:${one}`,
            oldValue: JSON.stringify({ two }),
            newValue: JSON.stringify([three]),
          }),
          actRecord({ target: { kind: 'command', value: `x${one}` }, reason: `x${two}`, session: `x${three}` }),
          detectionRecord({ pointer: one }),
        ];
        for (const record of long) {
          const { json } = outgoing(record);
          expect(Buffer.byteLength(json)).toBeLessThanOrEqual(4096);
          expect(ocsfFaults(JSON.parse(json)).filter((fault) => !fault.endsWith('is no string'))).toEqual([]);
        }
      }),
      { numRuns: 100 },
    );
  });

  it('names the omitted attributes', () => {
    const large = actionRecord({ newValue: JSON.stringify({ cedar: 'x'.repeat(10_000) }) });
    const event = JSON.parse(createOutgoing(4096)(large).json) as Record<string, never>;
    expect(event).toMatchObject({ unmapped: { left_out: ['values'] }, entity_result: { name: 'provider:engine' } });
    expect(event['entity_result']).not.toHaveProperty('data');
    const long = decisionRecord({ detail: 'y'.repeat(10_000) });
    const shortened = JSON.parse(createOutgoing(4096)(long).json) as { status_detail: string };
    expect(shortened).toMatchObject({ unmapped: { left_out: ['values', 'texts'] } });
    expect(shortened.status_detail).toBe(`${'y'.repeat(1024)}…`);
  });
});
