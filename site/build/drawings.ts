/** A box with its first line as a title. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly lines: readonly string[];
  readonly accent?: true;
}

/** A straight arrow, with words beside its middle. */
interface Arrow {
  readonly from: readonly [x: number, y: number];
  readonly to: readonly [x: number, y: number];
  readonly label?: string;
  readonly dashed?: true;
}

/** Words without a box. */
interface Label {
  readonly x: number;
  readonly y: number;
  readonly text: string;
}

export interface Drawing {
  /** A description of the drawing, for screen readers and for search. */
  readonly description: string;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  readonly labels?: readonly Label[];
}

/** All drawings are this wide, so that their words are legible on a phone too. */
export const WIDTH = 360;

const STEP_HEIGHT = 34;
const STEP_GAP = 14;
const STEPS: readonly (readonly [text: string, refusal: string])[] = [
  ['1. Who calls: key or token', '401'],
  ['2. Is the person revoked?', '403'],
  ['3. Is the session revoked?', '403'],
  ['4. Which endpoint?', '404'],
  ['5. License and seat (on-premise)', '403'],
  ['6. Role and policy', '403'],
  ['7. Plan and cap (hosted)', '402'],
  ['8. Secret in the body?', '403'],
  ['9. Record: signed and on disk', '503'],
  ['10. Relay: model and key replaced', ''],
];
const stepTop = (at: number): number => 8 + at * (STEP_HEIGHT + STEP_GAP);

const call: Drawing = {
  description:
    'A call passes ten steps from top to bottom: credentials, revoked person, revoked session, endpoint, license, role and policy, plan and cap, secrets, record, relay. A step that fails answers with its status and ends the call.',
  height: stepTop(STEPS.length),
  boxes: STEPS.map(([text], at) => ({
    x: 10,
    y: stepTop(at),
    width: 250,
    height: STEP_HEIGHT,
    lines: [text],
    ...(at >= STEPS.length - 2 ? { accent: true as const } : {}),
  })),
  arrows: STEPS.flatMap(([, refusal], at): Arrow[] => {
    const below = stepTop(at) + STEP_HEIGHT;
    const middle = stepTop(at) + STEP_HEIGHT / 2;
    return [
      ...(at === STEPS.length - 1 ? [] : [{ from: [135, below], to: [135, below + STEP_GAP] } as const]),
      ...(refusal === '' ? [] : [{ from: [260, middle], to: [300, middle], dashed: true } as const]),
    ];
  }),
  labels: STEPS.map(([, text], at) => ({ x: 306, y: stepTop(at) + STEP_HEIGHT / 2 + 5, text })),
};

const overview: Drawing = {
  description:
    'Developers’ tools call the gateway with their own key or token. The gateway records its decision in PostgreSQL and calls the engine with the engine’s key. Operators and auditors use the console, which works on the same database.',
  height: 292,
  boxes: [
    { x: 8, y: 8, width: 196, height: 52, lines: ['Developers’ tools', 'editor, agent, SDK, gw'] },
    { x: 8, y: 116, width: 196, height: 60, lines: ['Gateway', 'checks, records, relays'], accent: true },
    { x: 8, y: 232, width: 196, height: 52, lines: ['Engines', 'your own, or a vendor’s'] },
    { x: 246, y: 116, width: 106, height: 60, lines: ['PostgreSQL', 'signed log'] },
    { x: 246, y: 8, width: 106, height: 52, lines: ['Console', 'operator, auditor'] },
  ],
  arrows: [
    { from: [106, 60], to: [106, 116], label: 'own key or token' },
    { from: [106, 176], to: [106, 232], label: 'the engine’s key' },
    { from: [204, 146], to: [246, 146] },
    { from: [299, 60], to: [299, 116] },
  ],
};

const chain: Drawing = {
  description:
    'Each entry of the log holds the digest of the entry before it. The last entry of a batch is sealed with an Ed25519 signature. A checkpoint that the auditor keeps elsewhere holds the digest of the last entry.',
  height: 336,
  boxes: [
    { x: 8, y: 8, width: 210, height: 54, lines: ['Entry 41', 'digest = SHA-256(40, content)'] },
    { x: 8, y: 98, width: 210, height: 54, lines: ['Entry 42', 'digest = SHA-256(41, content)'] },
    { x: 8, y: 188, width: 210, height: 54, lines: ['Entry 43', 'digest = SHA-256(42, content)'] },
    { x: 256, y: 188, width: 96, height: 54, lines: ['Seal', 'Ed25519'], accent: true },
    {
      x: 8,
      y: 278,
      width: 344,
      height: 50,
      lines: ['Checkpoint, kept by the auditor', 'digest of entry 43, signed'],
      accent: true,
    },
  ],
  arrows: [
    { from: [113, 62], to: [113, 98], label: 'digest' },
    { from: [113, 152], to: [113, 188], label: 'digest' },
    { from: [218, 215], to: [256, 215] },
    { from: [113, 242], to: [113, 278], label: 'digest' },
  ],
};

const deployment: Drawing = {
  description:
    'Callers reach two gateways through a load balancer. Both gateways and the console use one PostgreSQL primary, which replicates to a standby. One gateway sends the logs to a collector.',
  height: 352,
  boxes: [
    { x: 92, y: 8, width: 176, height: 36, lines: ['Callers'] },
    { x: 92, y: 76, width: 176, height: 36, lines: ['Load balancer'] },
    { x: 8, y: 148, width: 150, height: 52, lines: ['Gateway A', 'own key, own state'], accent: true },
    { x: 202, y: 148, width: 150, height: 52, lines: ['Gateway B', 'own key, own state'], accent: true },
    { x: 92, y: 240, width: 176, height: 40, lines: ['PostgreSQL primary'] },
    { x: 8, y: 308, width: 104, height: 36, lines: ['Console'] },
    { x: 128, y: 308, width: 104, height: 36, lines: ['Standby'] },
    { x: 248, y: 308, width: 104, height: 36, lines: ['Log collector'] },
  ],
  arrows: [
    { from: [180, 44], to: [180, 76] },
    { from: [140, 112], to: [83, 148] },
    { from: [220, 112], to: [277, 148] },
    { from: [83, 200], to: [140, 240] },
    { from: [277, 200], to: [220, 240] },
    { from: [60, 308], to: [110, 280] },
    { from: [180, 280], to: [180, 308], dashed: true },
    { from: [318, 200], to: [318, 308], dashed: true },
  ],
};

export const DRAWINGS = { overview, call, chain, deployment } as const;
export type DrawingName = keyof typeof DRAWINGS;

export function isDrawing(name: string): name is DrawingName {
  return Object.hasOwn(DRAWINGS, name);
}
