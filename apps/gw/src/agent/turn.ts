import { faultMessage } from '../process/fault.ts';
import { pluralize } from '../process/pluralize.ts';
import { type CallDependencies, contextOf, type DecidedCalls, readArguments } from './call-dependencies.ts';
import type { AgentDependencies } from './dependencies.ts';
import {
  addMessages,
  createRoomWatch,
  makeRoomAfter,
  makeRoomIfFull,
  type RoomDependencies,
  replaceMessages,
} from './make-room.ts';
import { addCost, callModel, costOf, estimateTokens, type ModelAnswer } from './model-call.ts';
import { hasPicture, isRefusedMessage, runCall, withoutPictures, withoutRefused } from './run-call.ts';
import { addUsage } from './state.ts';
import {
  ContextExceeded,
  type Message,
  ModelFailed,
  ModelRefused,
  type PermissionCall,
  type PermissionDecision,
  type Preview,
  type Tool,
  type ToolCall,
  type TurnOutcome,
} from './types/index.ts';
import { identifiersIn, maskMembers, plainCalls } from './valid-history.ts';

/** Sub-agents of one answer that work at once. */
const MOST_AGENTS = 4;
const GO_ON = 'Go on';

export interface TurnDependencies extends RoomDependencies {
  readonly dependencies: AgentDependencies;
  readonly calls: CallDependencies;
  /** Messages of the user that came while the turn was running; each is given once. */
  takeSteering(): Promise<readonly Message[]>;
}

export type Ending = Pick<TurnOutcome, 'status' | 'answer' | 'error' | 'isCut'>;

/** Calls the model and its tools until the model asks for nothing more. The user's message is in the state already. */
export async function runTurn(turn: TurnDependencies): Promise<Ending> {
  const { dependencies, emit, box, signal } = turn;
  const repeats = createRepeats();
  const room = createRoomWatch();
  const olderPictures = createOlderPictures();
  let answer = '';
  let rounds = 0;
  for (let step = 0; step < dependencies.mostSteps; step += 1) {
    if (room.isThrashing(step, await makeRoomIfFull(turn)))
      return failed(
        answer,
        `The context of ${turn.model().name} is too small for this work: the conversation was summarized again for nearly every call. Ask for smaller parts, or choose a model with a larger context.`,
      );
    const tools = await dependencies.tools();
    if (step === 0) emit({ type: 'tools-offered', names: tools.filter(isShown).map(({ name }) => name) });
    const reply = await ask(turn, tools);
    const calls = keepAnswer(turn, reply);
    if (reply.text !== '') answer = reply.text;
    if (reply.error !== null) {
      if (isRefused(reply) && reply.error instanceof ModelFailed && leaveOutRefused(turn, reply.error, olderPictures))
        continue;
      return { answer, ...endingOf(reply.error, signal) };
    }
    emit({ type: 'message-finished', text: reply.text });
    await dependencies.save(box.get());
    const fault = faultOf(reply, turn.model().name);
    if (fault !== null) return { answer, status: 'failed', error: fault };
    if (calls.length === 0) {
      // A message that came since the last results becomes a turn of its own: the front end sends it.
      const isCut = reply.reason === 'length' ? { isCut: true } : {};
      return { status: 'completed', answer: reply.text, error: null, ...isCut };
    }
    rounds += 1;
    if (rounds > (dependencies.mostRounds ?? Number.POSITIVE_INFINITY)) {
      answerAll(turn, calls, 'The call was not run: the limit of turns was reached.');
      return failed(
        answer,
        `The run ended at its limit of ${pluralize(dependencies.mostRounds ?? 0, 'turn')} (--max-turns).`,
        'limit',
      );
    }
    const ended = await runCalls(turn, tools, calls, repeats);
    if (ended !== null) return 'status' in ended ? { answer, ...ended } : askForHelp(turn, ended);
    addMessages(box, ...(await turn.takeSteering()));
    await dependencies.save(box.get());
  }
  const limit = `The turn ended after ${dependencies.mostSteps} calls of the model, the most of one turn. Send another message to continue.`;
  return failed(answer, limit, 'limit');
}

/** Adds the model's message to the conversation, in a form that every engine takes back. Returns its calls as they are run. */
function keepAnswer(turn: TurnDependencies, reply: ModelAnswer): readonly ToolCall[] {
  const { dependencies, box } = turn;
  const masked = (text: string): string => dependencies.mask(text).text;
  const isBlocked = reply.reason === 'content_filter' || reply.refusal !== '';
  const given = isBlocked ? [] : reply.calls;
  const text = reply.text.trim() === '' ? reply.refusal : reply.text;
  if (text.trim() === '' && given.length === 0) return [];
  const kept = plainCalls(
    given.map((call) => ({ ...call, arguments: masked(call.arguments) })),
    identifiersIn(box.get().messages),
  );
  const members = reply.members === undefined ? undefined : maskMembers(reply.members, masked);
  addMessages(box, {
    role: 'assistant',
    content: masked(text),
    ...(kept.length === 0 ? {} : { toolCalls: kept }),
    ...(members === undefined ? {} : { members }),
    entry: turn.model().entry,
  });
  return kept.map((call, at) => ({ ...call, arguments: given[at]?.arguments ?? '' }));
}

/** Why an answer that came whole is a failure; null where it is none. */
function faultOf({ text, calls, reason, refusal }: ModelAnswer, model: string): TurnOutcome['error'] {
  if (refusal !== '') return { ...errorOf(`${model} refused: ${refusal.slice(0, 2000)}`), cause: 'refusal' };
  if (reason === 'content_filter')
    return {
      ...errorOf(`The content filter of ${model}’s provider ended the answer. Change the request.`),
      cause: 'refusal',
    };
  if (text.trim() !== '' || calls.length > 0) return null;
  const why =
    reason === 'length' ? ': it reached the maximum number of tokens before. Raise maxTokens in the configuration' : '';
  return errorOf(
    `${model} ended its answer without text and without a call${why}. Send the message again, or choose another model.`,
  );
}

/** Results are kept as they come, so that a turn that ends early has them. */
type CallsEnd = Pick<TurnOutcome, 'status' | 'error'> | Help | null;
interface Help {
  readonly why: 'failing' | 'looping';
  readonly tool: string;
  readonly reason: string;
}

async function runCalls(
  turn: TurnDependencies,
  tools: readonly Tool[],
  calls: readonly ToolCall[],
  repeats: ReturnType<typeof createRepeats>,
): Promise<CallsEnd> {
  const { signal } = turn;
  const left = new Set(calls);
  const close = (content: string): void => {
    answerAll(turn, [...left], content);
    left.clear();
  };
  let end: CallsEnd = null;
  let around = turn.calls;
  /** Runs one call, and keeps its result. False where no further call may begin. */
  const run = async (call: ToolCall): Promise<boolean> => {
    const done = await runCall(around, tools, call);
    if (!left.delete(call)) return false;
    if (done.changed !== undefined) changeCall(turn, call.id, done.changed);
    const images = done.images === undefined ? {} : { images: done.images };
    const content = done.content + (done.path === undefined ? '' : await addedInstructions(turn, done.path));
    addMessages(turn.box, { role: 'tool', callId: call.id, content, outcome: done.outcome, ...images });
    await turn.dependencies.save(turn.box.get());
    if (done.stop) {
      end ??= { status: 'interrupted', error: errorOf('The user denied a call and stopped the turn.') };
      return false;
    }
    const repeat = repeats.note(call, done.outcome);
    if (repeat === null || (repeat === 'looping' && (await mayGoOn(turn, call)))) return true;
    end ??= { why: repeat, tool: call.name, reason: done.content };
    return false;
  };
  try {
    around = { ...turn.calls, decided: await askTogether(turn.calls, tools, calls) };
    for (const group of groupsOf(calls)) {
      signal.throwIfAborted();
      const goOn = await sideBySide(group, run);
      if (!goOn) break;
    }
  } catch (error) {
    close('The call was interrupted.');
    return endingOf(error, signal);
  }
  close(end !== null && 'why' in end ? 'The call was not run.' : 'The call was not run: the user stopped the turn.');
  return end;
}

/** Instructions of the folders of a file, where the conversation does not have them yet. */
async function addedInstructions({ dependencies, box }: TurnDependencies, path: string): Promise<string> {
  const found = (await dependencies.nestedInstructions?.(path)) ?? [];
  return found
    .map(({ source, text }) => [`[Instructions from ${source}, for the files of its folder:]`, text] as const)
    .filter(([heading]) => !box.get().messages.some((one) => one.role === 'tool' && one.content.includes(heading)))
    .map(([heading, text]) => `\n\n${heading}\n${dependencies.mask(text).text}`)
    .join('');
}

/** Sub-agents run side by side, from the place of the first of them; all other calls one by one. */
function groupsOf(calls: readonly ToolCall[]): readonly (readonly ToolCall[])[] {
  const agents = calls.filter(({ name }) => name === 'Agent');
  const groups: (readonly ToolCall[])[] = [];
  for (const call of calls) {
    if (call.name !== 'Agent') groups.push([call]);
    else if (call === agents[0]) groups.push(agents);
  }
  return groups;
}

/** Runs a group, at most four at once. False where one of it ended the turn. Throws the first fault once all are over. */
async function sideBySide(group: readonly ToolCall[], run: (call: ToolCall) => Promise<boolean>): Promise<boolean> {
  const waiting = [...group];
  let goOn = true;
  const fault: { error: unknown }[] = [];
  const work = async (): Promise<void> => {
    for (let call = waiting.shift(); call !== undefined && goOn; call = waiting.shift()) {
      try {
        if (!(await run(call))) goOn = false;
      } catch (error) {
        fault.push({ error });
        goOn = false;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(MOST_AGENTS, group.length) }, work));
  if (fault[0] !== undefined) throw fault[0].error;
  return goOn;
}

/** Asks the person whether a call that succeeds again and again may go on. */
async function mayGoOn(turn: TurnDependencies, call: ToolCall): Promise<boolean> {
  if (!turn.dependencies.interactive) return false;
  const question = `${turn.model().name} made the same call of ${call.name} ${MOST_SUCCESSES} times in a row. Let it go on?`;
  return (await turn.calls.ask({ question, options: [GO_ON, 'Stop the turn'] })) === GO_ON;
}

/** The conversation has the call as it was run. */
function changeCall({ box, dependencies }: TurnDependencies, id: string, text: string): void {
  const { messages } = box.get();
  const at = messages.findLastIndex((one) => one.role === 'assistant');
  const message = messages[at];
  if (message?.role !== 'assistant') return;
  const toolCalls = (message.toolCalls ?? []).map((call) =>
    call.id === id ? (plainCalls([{ ...call, arguments: dependencies.mask(text).text }], new Set())[0] ?? call) : call,
  );
  box.change({ messages: messages.with(at, { ...message, toolCalls }) });
}

type OlderPictures = ReturnType<typeof createOlderPictures>;
/** Another model may refuse pictures that an earlier one took: tried once without them, before the newest message is blamed. */
function createOlderPictures() {
  let before: readonly Message[] | null = null;
  return {
    leaveOut(box: RoomDependencies['box'], error: ModelFailed): boolean {
      const { messages } = box.get();
      if (before !== null) replaceMessages(box, before); // they were not the reason
      const isFirst = before === null;
      before = messages;
      const newest = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
      const isOlder = messages.some(hasPicture) && !newest.some(hasPicture) && !(error instanceof ContextExceeded);
      if (!isFirst || !isOlder) return false;
      replaceMessages(
        box,
        messages.map((one) => withoutPictures(one, NO_PICTURE)),
      );
      return true;
    },
  };
}
const NO_PICTURE = '[A picture was here. The engine refused it, so it was removed.]';

function isRefused({ error, text }: ModelAnswer): boolean {
  return text === '' && error instanceof ModelFailed && isRefusedMessage(error.status);
}

/**
 * Replaces what the engine refused by a note, so that the next message works. True where the model is asked again at
 * once: a result of a tool was refused, and the model can go on without it.
 */
function leaveOutRefused(turn: TurnDependencies, error: ModelFailed, olderPictures: OlderPictures): boolean {
  const { box, emit } = turn;
  if (olderPictures.leaveOut(box, error)) return true;
  const before = box.get().messages;
  const { messages, pictures } = withoutRefused(before, error.status);
  if (messages === before) return false;
  replaceMessages(box, messages);
  const isResult = before.at(-1)?.role === 'tool';
  const goesOn = isResult && pictures; // else the turn fails, which says why
  const what = isResult ? 'The newest result' : pictures ? 'The picture of your message' : 'Your message';
  emit({
    type: 'notice',
    level: 'warning',
    text: `${what} was refused by the engine${goesOn ? ` (${error.message})` : ''}. A note stands in its place now, so that the conversation can go on.`,
  });
  return goesOn;
}

function isShown(tool: Tool): boolean {
  return tool.isHidden?.() !== true;
}

/** Calls the model with the conversation; once more with a shorter one where the engine says that it is too long. */
async function ask(turn: TurnDependencies, tools: readonly Tool[]): Promise<ModelAnswer> {
  const { dependencies, emit, box, signal } = turn;
  for (let isSecond = false; ; isSecond = true) {
    const request = {
      messages: [{ role: 'system' as const, content: dependencies.systemPrompt() }, ...box.get().messages],
      tools: tools.filter(isShown).map(({ name, description, parameters }) => ({ name, description, parameters })),
      session: box.get().id,
    };
    const reply = await callModel(turn.model(), request, signal, emit);
    const size = estimateTokens(request.messages, request.tools);
    countUsage(turn, reply.usage, size);
    if (isSecond || reply.text !== '' || !(reply.error instanceof ContextExceeded)) return reply;
    if (!(await makeRoomAfter(turn, reply.error, size))) return reply;
  }
}

/** The model repeats a call: the user has to decide how to continue. */
function askForHelp(turn: TurnDependencies, { why, tool, reason }: Help): Ending {
  const what =
    why === 'failing'
      ? `three times with the same arguments, and it failed each time: ${reason.slice(0, 500)}`
      : `${MOST_SUCCESSES} times in a row with the same arguments, with success.`;
  const question = `I called ${tool} ${what}\n\nHow should I continue?`;
  addMessages(turn.box, { role: 'assistant', content: question });
  turn.emit({ type: 'text', text: question });
  turn.emit({ type: 'message-finished', text: question });
  return {
    status: 'failed',
    answer: question,
    error: {
      ...errorOf(
        why === 'failing'
          ? `Three identical calls of ${tool} failed.`
          : `The model repeated the same call of ${tool} ${MOST_SUCCESSES} times in a row.`,
      ),
      cause: 'repeated-call',
    },
  };
}

/** Every call needs a result, or the next request is refused by the engine. */
function answerAll(turn: TurnDependencies, calls: readonly { readonly id: string }[], content: string): void {
  addMessages(turn.box, ...calls.map(({ id }) => ({ role: 'tool' as const, callId: id, content })));
}

function countUsage(
  turn: TurnDependencies,
  usage: { readonly input: number; readonly output: number } | null,
  /** Tokens of the request, about. */
  size: number,
): void {
  const { box, emit } = turn;
  const { usage: before } = box.get();
  const total = addUsage(before, { inputTokens: usage?.input ?? 0, outputTokens: usage?.output ?? 0, calls: 1 });
  const contextTokens = usage === null || usage.input === 0 ? size : usage.input + usage.output;
  const cost = addCost(box.get().cost, costOf(usage, turn.model().prices));
  box.change({ usage: total, contextTokens, cost });
  emit({ type: 'usage', total, contextTokens, cost });
}

function failed(answer: string, message: string, cause?: 'limit'): Ending {
  return { status: 'failed', answer, error: { ...errorOf(message), ...(cause === undefined ? {} : { cause }) } };
}

export function errorOf(
  message: string,
  status: number | null = null,
  revoked = false,
): NonNullable<TurnOutcome['error']> {
  return { message, status, revoked };
}

/** How a turn ends by a fault. */
export function endingOf(error: unknown, signal: AbortSignal): Pick<TurnOutcome, 'status' | 'error'> {
  if (signal.aborted) return { status: 'interrupted', error: errorOf('The turn was interrupted.') };
  if (error instanceof ModelRefused)
    return { status: 'refused', error: errorOf(error.message, error.status, error.revoked) };
  if (error instanceof ModelFailed) return { status: 'failed', error: errorOf(error.message, error.status) };
  return { status: 'failed', error: errorOf(faultMessage(error)) };
}

interface Asking {
  readonly call: ToolCall;
  readonly asked: PermissionCall;
  readonly first: PermissionDecision;
  readonly preview: Preview | null;
}

/**
 * Asks once where several calls of one answer need an approval. What always asks is left out, and what fails before it is asked.
 * @returns the person's answer for each of these calls; null where the person wants to be asked for each
 */
async function askTogether(
  around: CallDependencies,
  tools: readonly Tool[],
  calls: readonly ToolCall[],
): Promise<DecidedCalls> {
  const { interactive, asksTogether } = around.dependencies;
  if (!interactive || asksTogether !== true || calls.length < 2) return new Map();
  const asking: Asking[] = [];
  for (const call of calls) {
    const one = await findAsking(around, tools, call);
    if (one !== null) asking.push(one);
  }
  const [first, ...others] = asking;
  if (first === undefined || others.length === 0) return new Map();
  return around.inTurn(async () => {
    around.signal.throwIfAborted();
    const request = around.approvals.open(around.signal);
    for (const { call, asked } of asking)
      around.emit({ type: 'tool-proposed', id: call.id, tool: asked.tool, target: asked.target.value });
    around.emit({
      type: 'permission-requested',
      id: request.id,
      ...eventOf(first),
      reason: others.every((one) => one.first.reason === first.first.reason) ? first.first.reason : '',
      more: others.map(eventOf),
    });
    const approval = await request.answer;
    const answer = approval.decision === 'each' ? null : approval;
    if (answer === null) around.emit({ type: 'permission-asked-each', id: request.id });
    return new Map(asking.map(({ call }) => [call.id, { requestId: request.id, approval: answer }]));
  });
}

function eventOf({ call, asked: { tool, target, args }, preview }: Asking) {
  return { call: call.id, tool, target, arguments: JSON.stringify(args), preview };
}

async function findAsking(around: CallDependencies, tools: readonly Tool[], call: ToolCall): Promise<Asking | null> {
  const tool = tools.find(({ name }) => name === call.name);
  if (tool === undefined || tool.name === 'Agent' || tool.name === 'AskQuestion') return null;
  const read = readArguments(tool, call.arguments);
  if (!read.ok) return null;
  const asked: PermissionCall = {
    tool: tool.name,
    effect: tool.effect,
    target: tool.target(read.args),
    args: read.args,
  };
  const first = await around.dependencies.permissions.judge(asked, around.mode());
  if (first.decision !== 'ask' || first.source === 'always asks') return null;
  try {
    return { call, asked, first, preview: (await tool.preview?.(read.args, contextOf(around, call.id))) ?? null };
  } catch {
    return null; // it says why when its turn comes
  }
}

/** Identical failing calls after which a turn ends. */
const MOST_FAILURES = 3;
/** Identical successful calls in a row after which the person is asked. */
const MOST_SUCCESSES = 10;

/** Counts identical calls within a turn: those that fail, and those that succeed in a row. */
function createRepeats() {
  const failed = new Map<string, number>();
  let latest = '';
  let inRow = 0;
  return {
    /** `failing`: it has now failed three times. `looping`: it succeeded ten times in a row. */
    note(call: { readonly name: string; readonly arguments: string }, outcome: string): 'failing' | 'looping' | null {
      const key = `${call.name}\0${call.arguments}`;
      inRow = key === latest ? inRow + 1 : 1;
      latest = key;
      if (outcome !== 'failed') {
        failed.delete(key);
        if (outcome !== 'succeeded' || inRow < MOST_SUCCESSES) return null;
        inRow = 0; // asked again after as many more
        return 'looping';
      }
      const count = (failed.get(key) ?? 0) + 1;
      failed.set(key, count);
      return count >= MOST_FAILURES ? 'failing' : null;
    },
  };
}
