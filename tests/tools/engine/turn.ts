/** Tokens that the engine of the tests says it used for one answer. */
export interface Counts {
  /** All input, the cached part included. */
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
}

export interface ToolCall {
  readonly tool: string;
  readonly input: object;
}

/** What the engine answers: the call of a tool, or text. */
export type Turn = ToolCall | { readonly text: string };

/** One of the APIs that tools speak. */
export interface Api {
  /** Tools that a request offers to the model. */
  offered(body: Body): readonly string[];
  /** Results of tools that a request carries, oldest first. */
  results(body: Body): readonly string[];
  /** Whether the request asks for a stream. */
  streams(body: Body, url: string): boolean;
  /** Whether its answer reports how many tokens were used. */
  reports(body: Body, url: string): boolean;
  answer(turn: Turn, counts: Counts, body: Body): object;
  /** Raw events of a stream. */
  stream(turn: Turn, counts: Counts, body: Body): readonly string[];
}

/** A request's JSON: the tests read the few members that they need. */
// oxlint-disable-next-line typescript/no-explicit-any -- four APIs, each with a shape of its own
export type Body = any;

export const isCall = (turn: Turn): turn is ToolCall => 'tool' in turn;

export const textOf = (content: unknown): string => (typeof content === 'string' ? content : JSON.stringify(content));
