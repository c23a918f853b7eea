/** Where something that looks like a secret was found. */
export type DetectionPlace = 'request' | 'answer' | 'output';

/** One recorded finding of the secret detection (relay-36): kind, position and response, never the value. */
export interface Detection {
  /** UUID version 7: a detection recorded twice is one. */
  readonly id: string;
  /** ISO 8601, UTC, milliseconds, `Z`. */
  readonly at: string;
  /** Of the call or the command in whose traffic it was. */
  readonly decisionId: string;
  readonly place: DetectionPlace;
  readonly kind: string;
  readonly rule: string;
  readonly confidence: 'high' | 'medium';
  /** What the policy in force had done about it. */
  readonly response: 'block' | 'mask' | 'alert';
  /** RFC 6901; null in what is no JSON. */
  readonly pointer: string | null;
  /** Offsets in what was looked into: bytes of a body, characters (UTF-16) of a stream's text. */
  readonly start: number;
  readonly end: number;
  /** Bytes of the decoded value. */
  readonly length: number;
  /** HMAC-SHA-256 of the decoded value under a key of the deployment, hexadecimal. */
  readonly digest: string;
  /** Number of findings in this entry: above 1 where one text had more than are recorded one by one. */
  readonly occurrences: number;
}
