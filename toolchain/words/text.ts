/** A piece of text for people, and the line of its file where it begins. */
export interface Text {
  readonly line: number;
  readonly text: string;
}

export interface Fault {
  readonly line: number;
  readonly message: string;
}
