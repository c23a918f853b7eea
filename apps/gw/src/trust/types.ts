/** Whose word a value is. The rules of an organization are no file: they come from the gateway of the user's sources alone. */
export type Origin = 'user' | 'project';

/** A line of a request: what it is, and its value in full. */
export type Row = readonly [label: string, value: string];

/**
 * Something in a project's files that sends data or runs programs, so that it has no effect before the person agreed.
 *
 * To bring another kind under consent (commands, skills): build a request of it, pass it to `openTrust` in `more`, and use the
 * thing only where `Trust.isGranted(request)`. Questions, `gw trust`, headless lines and the file of answers follow from that.
 */
export interface ProjectRequest {
  readonly kind: 'gateway' | 'model' | 'MCP server' | 'command' | 'skill' | 'hook';
  readonly name: string;
  /**
   * What the person judges by, and what the answer is kept for: everything that decides what is sent, where to, and what runs.
   * The host of an address comes first. A change of any row asks again.
   */
  readonly shown: readonly Row[];
  /** The file, with line and column where they are known: `.gateway/config.yaml:3:5`. */
  readonly place: string;
}

/** A member of a project's file that has no effect, whatever the person answers. */
export interface Refusal {
  /** What is refused, as the beginning of a sentence: `the model Helper`. */
  readonly what: string;
  /** Why, and what to do: whole sentences. */
  readonly reason: string;
  readonly place: string;
}

/** `yes` and `never` are kept; `once` counts until the program ends. */
export type ConsentAnswer = 'yes' | 'once' | 'no' | 'never';

/** Puts a request before the person. */
export type AskPerson = (request: ProjectRequest) => Promise<ConsentAnswer>;
