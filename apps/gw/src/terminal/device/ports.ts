import type { AgentSession, ContentPart, Model } from '../../agent/types/index.ts';
import type { AskPerson } from '../../trust/sources.ts';
import type { Palette } from '../text/line.ts';

export interface Size {
  readonly columns: number;
  readonly rows: number;
}

/** The window and the keyboard. */
export interface Device {
  readonly palette: Palette;
  /** `TERM=dumb`: nothing but text and carriage returns is written. */
  readonly isDumb?: boolean;
  /** Only the current line is redrawn; everything else is printed once, in words. */
  readonly screenReader: boolean;
  size(): Size;
  write(text: string): void;
  /** Takes the keyboard, key by key. The function that is returned gives everything back as it was. */
  open(input: (text: string) => void, resized: () => void, closed: () => void): () => void;
  /** Stops the program as the shell's Ctrl-Z does. Resolves once it is continued. */
  suspend?(): Promise<void>;
}

/** Time, so that tests decide when it passes. */
export interface Timers {
  now(): number;
  /** The function that is returned cancels it. */
  after(milliseconds: number, run: () => void): () => void;
}

export interface OpenedSession {
  readonly session: AgentSession;
  /** The first message, where the command line gives one. */
  readonly prompt: string | null;
  /** Pictures that go with it. */
  readonly images?: readonly ContentPart[];
  /** What the person should know before it is sent. */
  readonly notices: readonly string[];
}
export interface SessionSummary {
  readonly id: string;
  readonly title: string;
  readonly updatedAt: string;
  readonly turns: number;
}

/** What the terminal needs in addition to the session: all access to files, processes and the configuration. */
export interface Host {
  /** Version, for the first line. */
  readonly version: string;
  /** Root of the project and the user's home: absolute. */
  readonly project: string;
  readonly home: string | null;
  /**
   * Opens the session that the command line asks for. Rejects where an option or the configuration is wrong.
   * @param person asks about what the project's files add
   */
  open(person: AskPerson): Promise<OpenedSession>;
  /** A new conversation, a saved one, or a copy of one under a new identifier. */
  fresh(): Promise<AgentSession>;
  resume(id: string): Promise<AgentSession>;
  fork(id: string): Promise<AgentSession>;
  /** Saved sessions of this project, the newest first. */
  sessions(): Promise<readonly SessionSummary[]>;
  /** Readable names of the configured models. */
  models(): readonly string[];
  model(name: string): Promise<Model>;
  /** What `/config` shows, line by line. */
  describeConfiguration(): Promise<readonly string[]>;
  /** The output of `/permissions`: rules of the command line and the configuration, and approvals stored for the project. */
  describePermissions(): Promise<readonly string[]>;
  /** Removes every approval of the project and of the session. Resolves with the number stored for the project. */
  forgetApprovals(): Promise<number>;
  /**
   * Signs in to an MCP server with the browser.
   * @param show shows the address of the sign-in
   * @returns a line that says how it ended
   */
  signInToServer(name: string, show: (address: string) => void): Promise<string>;
  /** Commands of the user and the project, for `/`. */
  ownCommands?(): readonly { readonly name: string; readonly about: string }[];
  /** The prompt of such a command; null where there is none of this name. */
  ownCommand?(
    name: string,
    given: string,
  ): { readonly prompt: string; readonly model: string | null; readonly tools: readonly string[] | null } | null;
  /** Paths of the project for `@`, relative, without what git ignores. */
  files(): Promise<readonly string[]>;
  /** Runs a command of the user in the project. */
  shell(command: string, output: (chunk: string) => void, signal: AbortSignal): Promise<ShellEnd>;
  /** An image file, or the image in the clipboard; null where there is none. */
  image(path: string): Promise<ContentPart | null>;
  clipboardImage(): Promise<ContentPart | null>;
  /** Opens the user's editor on a text, in this window; null where none is configured or it failed. */
  externalEditor(text: string): Promise<string | null>;
  readonly history: HistoryStore;
}

export interface ShellEnd {
  /** Null where a signal ended it. */
  readonly code: number | null;
  /** Whether it left a process in the background, whose output is not shown. */
  readonly continues: boolean;
}

export interface HistoryStore {
  /** The oldest first. Never rejects: without a history the terminal works, too. */
  load(): Promise<readonly string[]>;
  append(message: string): Promise<void>;
}
