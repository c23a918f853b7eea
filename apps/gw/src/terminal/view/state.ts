import type { ChecklistItem, Mode, Preview } from '../../agent/types/index.ts';
import type { Line } from '../text/line.ts';
import { type Attachments, type Editor, EMPTY_EDITOR, type History, historyOf, NO_ATTACHMENTS } from './editor.ts';

/** A call that runs, or waits for a permission. */
export interface RunningTool {
  readonly id: string;
  readonly tool: string;
  readonly target: string;
  /** The end of what it has printed so far. */
  readonly output: string;
  /** The call of the sub-agent that makes it. */
  readonly parentCall?: string | undefined;
  /** Of a sub-agent: what it does now, its calls and its tokens. */
  readonly doing?: string;
  readonly calls?: number;
  readonly tokens?: number;
  /** Its heading is the last thing on the scrollback, or was (`above`); `change`: with the change that it makes. */
  readonly announced: 'no' | 'heading' | 'above' | 'change';
  /** Absent: it waits for an answer, or for its turn. */
  readonly runs?: boolean;
}
export interface PendingApproval {
  readonly id: string;
  /** The call that asks. */
  readonly call: string;
  readonly tool: string;
  readonly target: string;
  readonly reason: string;
  readonly arguments: string;
  readonly preview: Preview | null;
  readonly subAgent: string | null;
  /** What that sub-agent is to do. */
  readonly task?: string;
  /** Further calls of the same answer, which the decision is about, too. */
  readonly more?: readonly Pick<PendingApproval, 'tool' | 'target' | 'preview'>[];
  /** Rules that can be remembered instead of the exact call. */
  readonly wider?: readonly (readonly string[])[];
  /** The one of them that is chosen; absent for the exact call. */
  readonly chosen?: readonly string[] | undefined;
}
export interface PendingQuestion {
  readonly id: string;
  readonly question: string;
  readonly options: readonly string[];
  /** Of the options; one more than there are for an own answer. */
  readonly selected: number;
  /** Of a question of the client itself: who gets the answer. It has no own answer. */
  readonly settle?: (answer: string | null) => void;
  /** Since when it is shown, where keys that come too soon after that must not answer it. */
  readonly shownAt?: number;
}
/** A list of which one is chosen: sessions, models, earlier messages. */
export interface Picker {
  readonly title: string;
  readonly items: readonly string[];
  readonly selected: number;
  readonly choose: (index: number) => void;
}
export interface Suggestions {
  readonly token: Token;
  readonly items: readonly { readonly value: string; readonly note: string }[];
  readonly selected: number;
}
/** A call's argument that is being edited before it is approved. */
export interface ArgumentEdit {
  readonly approval: PendingApproval;
  readonly label: string;
  /** The editor's content from before. */
  readonly draft: Editor;
  /** The call's arguments with the edited text in them, as JSON; null where the text is none that fits. */
  readonly apply: (text: string) => string | null;
}
/** The running work, for its status line. */
export interface Activity {
  readonly label: string;
  readonly startedAt: number;
}

/** All that the live part is made of. The app replaces members; the views only read. */
export interface UiState {
  editor: Editor;
  history: History;
  attachments: Attachments;
  suggestions: Suggestions | null;
  mode: Mode;
  model: string;
  /** Where it is, unless calls go through the user's gateway. */
  modelHost: string | null;
  contextLength: number | null;
  contextTokens: number;
  /** Euros; null where the models have no prices. */
  cost: number | null;
  inputTokens: number;
  outputTokens: number;
  activity: Activity | null;
  /** The end of the model's reasoning; it is never part of the answer. */
  reasoning: string;
  tools: readonly RunningTool[];
  checklist: readonly ChecklistItem[];
  approvals: readonly PendingApproval[];
  argumentEdit: ArgumentEdit | null;
  questions: readonly PendingQuestion[];
  picker: Picker | null;
  /** Messages that are sent once the turn is over. */
  queue: readonly string[];
  /** Messages that the running turn gets with the next results. */
  steering: readonly string[];
  /** A call that is being denied, and the editor's content from before: the reason is being written. */
  denial: { readonly approval: PendingApproval; readonly draft: Editor } | null;
  /** The search of earlier messages. */
  search: { readonly query: string; readonly skipped: number; readonly draft: Editor } | null;
  /** The transcript in front of everything, and its first row that is shown. */
  transcript: { readonly lines: readonly Line[]; readonly top: number } | null;
  /** Milliseconds that calls took, by their identifiers. */
  durations: ReadonlyMap<string, number>;
  /** Thinking is one line. */
  foldsThinking: boolean;
  /** Commands of one's own, for completion. */
  ownCommands: readonly { readonly name: string; readonly about: string }[];
  status: string;
  hint: string;
  /** Number of the spinner's picture. */
  tick: number;
}

export function initialState(): UiState {
  return {
    editor: EMPTY_EDITOR,
    history: historyOf([]),
    attachments: NO_ATTACHMENTS,
    suggestions: null,
    mode: 'normal',
    model: '',
    modelHost: null,
    contextLength: null,
    contextTokens: 0,
    cost: null,
    inputTokens: 0,
    outputTokens: 0,
    activity: null,
    reasoning: '',
    tools: [],
    checklist: [],
    approvals: [],
    argumentEdit: null,
    questions: [],
    picker: null,
    queue: [],
    steering: [],
    denial: null,
    search: null,
    transcript: null,
    durations: new Map(),
    foldsThinking: false,
    ownCommands: [],
    status: '',
    hint: '',
    tick: 0,
  };
}

/** `Coder`, or `Coder at api.example` where calls do not go through the user's gateway. */
export function modelLabel({ model, modelHost }: Pick<UiState, 'model' | 'modelHost'>): string {
  return modelHost === null ? model : `${model} at ${modelHost}`;
}

/** What is being completed: a part of the text, from a mark up to the cursor. */
interface Token {
  readonly kind: 'command' | 'file';
  /** From the mark, in code units. */
  readonly from: number;
  readonly to: number;
  /** Without the mark. */
  readonly query: string;
}

/** A `/` that begins the text names a command; an `@` at the beginning of a word names a file. */
export function tokenAt(text: string, cursor: number): Token | null {
  const before = text.slice(0, cursor);
  const command = /^\/([\w-]*)$/.exec(before);
  if (command !== null) return { kind: 'command', from: 0, to: cursor, query: command[1] ?? '' };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  if (file === null || text.startsWith('!')) return null;
  const query = file[1] ?? '';
  return { kind: 'file', from: cursor - query.length - 1, to: cursor, query };
}
