import { createScanner } from '@gateway/secrets';
import { planModel, withModel } from '../../../apps/gateway/src/relay/request/model.ts';
import { atOnce } from '../../../apps/gateway/src/relay/request/wide-text.ts';
import { token } from '../../../packages/secrets/src/testing/model-events.ts';
import type { Random } from '../../support/random.ts';
import { mutated, mutatedJson } from '../mutate.ts';
import { Finding, type Target } from '../target.ts';

const SLUG = 'served-model';
const CHAT = {
  model: 'asked-model',
  stream: true,
  messages: [{ role: 'user', content: `Say hello. ${token}` }],
  tools: [{ type: 'function', function: { name: 'run', parameters: { type: 'object', properties: {} } } }],
  metadata: { model: 'inner', nested: [{ stream: false }] },
};
const TEXTS = [
  JSON.stringify(CHAT),
  JSON.stringify(CHAT, null, 2),
  '{"MODEL":"a","model":"b","mod\\u0065l":"c"}',
  '{"messages":[]}',
  '{}',
  `{"a":${'['.repeat(2000)}${']'.repeat(2000)},"model":"x"}`,
];
const INPUTS = [
  ...TEXTS.map((text) => Buffer.from(text)),
  Buffer.from(`\ufeff${TEXTS[0]}`),
  Buffer.from(TEXTS[0] ?? '', 'utf16le'),
  Buffer.from(`\ufeff${TEXTS[2]}`, 'utf16le'),
];
const WORDS = [
  '"model":',
  '"MODEL":"x"',
  '"mod\\u0065l":1',
  '"stream":true',
  '"stream":false,',
  '/*',
  '*/',
  '//',
  'NaN',
  token,
];
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function parsed(bytes: Uint8Array): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(utf8.decode(bytes));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

function inParts(bytes: Buffer, random: Random): Buffer[] {
  const parts: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(bytes.length, from + 1 + random.below(bytes.length));
    parts.push(bytes.subarray(from, to));
    from = to;
  }
  return parts;
}

/** Bodies: the engine sees no model but the endpoint's, however the body is written and wherever it is cut. */
export const bodies: Target = {
  name: 'bodies',
  share: 21,
  concurrency: 1,
  async open() {
    const scanner = createScanner({ key: Buffer.from('fuzz') });
    return {
      run(random) {
        const body =
          random.below(4) === 0
            ? Buffer.from(JSON.stringify(mutatedJson(CHAT, random)))
            : mutated(INPUTS, random, WORDS);
        const plan = atOnce(planModel([body]));
        const cut = atOnce(planModel(inParts(body, random)));
        const left = plan === null ? body : withModel(body, plan, SLUG);
        const leftCut = cut === null ? body : withModel(body, cut, SLUG);
        if (!left.equals(leftCut)) throw new Finding('A body that comes in parts is read otherwise.', body);
        const before = parsed(body);
        const report = scanner.scanBody(body, 'application/json');
        const masked = report.mask();
        if (report.findings.length === 0 && !Buffer.from(masked).equals(body))
          throw new Finding('Masked for nothing.', body);
        if (before === null) return 'refused';
        if (plan === null) throw new Finding('A JSON object was not read.', body);
        const after = parsed(left);
        if (after === null) throw new Finding('The body that leaves is no JSON object.', body);
        const models = Object.entries(after).filter(([name]) => /^model$/i.test(name));
        if (models.length === 0 || models.some(([, model]) => model !== SLUG)) {
          throw new Finding('The engine sees another model.', body);
        }
        if (plan.stream !== (before['stream'] === true)) throw new Finding('`stream` is read otherwise.', body);
        const rest = (value: Record<string, unknown>): string =>
          JSON.stringify(Object.entries(value).filter(([name]) => !/^model$/i.test(name)));
        if (rest(before) !== rest(after)) throw new Finding('Another member was changed.', body);
        return 'accepted';
      },
    };
  },
};
