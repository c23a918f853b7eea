import { open, rm } from 'node:fs/promises';
import { errorCode } from '@gateway/contract/error-code';
import { newIdentifier } from '../../agent/state.ts';
import { type Message, type Model, ModelFailed, ModelRefused } from '../../agent/types/index.ts';
import { openWorkspace } from '../../compose/workspace.ts';
import { type CodeMap, readCodeMap } from '../../map/code-map.ts';
import { codeOf, courseText, type Draft, parseDraft } from '../../map/course.ts';
import { limit, mermaidOf } from '../../map/graph.ts';
import type { Context } from '../../process/context.ts';
import { pathFrom } from '../../process/environment.ts';
import { CommandFailed, reasonOf, WrongUsage } from '../../process/fault.ts';
import { EXIT } from '../command/command.ts';
import { parseSessionOptions } from '../session/options.ts';
import type { CourseOptions } from './options.ts';

/** What the model is shown: enough for an overview, and small enough for a model with 16,000 tokens. */
const MAX_DIRECTORIES = 40;
const MAX_FILES = 60;
const MAX_SYMBOLS_PER_FILE = 8;
/** Answers that cannot be used are returned to the model this often. */
const MAX_TRIES = 3;

/** `gw course design`: asks the configured model for lessons about the code that the map shows, and writes the course. */
export async function designCourse(context: Context, { label, output, config }: CourseOptions): Promise<number> {
  const given = config === null ? [] : [{ name: '--config', value: config }];
  const workspace = await openWorkspace(context, parseSessionOptions({ options: given, positionals: [] }));
  const { project } = workspace;
  const map = await readCodeMap(project, context.environment, context.now(), false);
  if (map.facts.size === 0)
    throw new WrongUsage('There is no source file of a known language to write a course about.');
  const path = pathFrom(context.environment, output ?? '');
  const file = await open(path, 'wx').catch((error: unknown) => {
    if (errorCode(error) === 'EEXIST') throw new WrongUsage(`--sortie: ${output} exists already. Name another file.`);
    throw new CommandFailed(`--sortie: ${output} cannot be written: ${reasonOf(error)}`);
  });
  try {
    const model = workspace.createModel(workspace.model);
    context.terminal.report(`gw course: ${model.name} drafts the course …\n`);
    const draft = await draftFrom(model, label ?? '', map, project.directory, context);
    await file.writeFile(courseText(label ?? '', draft));
    await context.terminal.write(
      `${output}: ${draft.lessons.length === 1 ? '1 lesson' : `${draft.lessons.length} lessons`}. Read and correct: a model wrote it.\n`,
    );
    return EXIT.done;
  } catch (error) {
    await file.close();
    await rm(path, { force: true });
    if (error instanceof ModelRefused) throw new CommandFailed(error.message, EXIT.refused);
    if (error instanceof ModelFailed) throw new CommandFailed(error.message);
    throw error;
  } finally {
    await file.close().catch(() => undefined);
  }
}

async function draftFrom(model: Model, label: string, map: CodeMap, project: string, context: Context): Promise<Draft> {
  const messages: Message[] = [{ role: 'user', content: promptOf(label, map) }];
  const session = newIdentifier(context.now());
  for (let tries = 1; ; tries++) {
    let answer = '';
    for await (const event of model.stream({ messages, tools: [], session }, context.interrupted())) {
      if (event.type === 'text') answer += event.text;
    }
    const { draft, fault } = await check(answer, project);
    if (draft !== null) return draft;
    if (tries === MAX_TRIES) throw new CommandFailed(`The model gave no course that can be used: ${fault}`);
    messages.push(
      { role: 'assistant', content: answer },
      { role: 'user', content: `This cannot be used: ${fault} Answer with the whole JSON again.` },
    );
  }
}

/** The lessons whose code exists; a draft without any is returned to the model. */
async function check(answer: string, project: string): Promise<{ draft: Draft | null; fault: string }> {
  const { draft, fault } = parseDraft(answer);
  if (draft === null) return { draft, fault };
  const lessons: Draft['lessons'][number][] = [];
  const missing: string[] = [];
  for (const lesson of draft.lessons) {
    const code = await codeOf(project, { path: lesson.path, symbol: lesson.symbol, digest: null, line: 0 });
    if (code.state === 'found') lessons.push({ ...lesson, digest: code.digest });
    else missing.push(`${lesson.path}${lesson.symbol === null ? '' : `#${lesson.symbol}`}`);
  }
  if (lessons.length > 0) return { draft: { ...draft, lessons }, fault: '' };
  return { draft: null, fault: `None of this code exists: ${missing.join(', ')}.` };
}

function promptOf(label: string, map: CodeMap): string {
  const directories = mermaidOf(limit(map.graph('dir'), MAX_DIRECTORIES, new Set()).graph, new Set());
  const central = limit(map.graph('file'), MAX_FILES, new Set()).graph.nodes;
  const files = central.map(({ id }) => {
    const names = (map.facts.get(id)?.symbols ?? []).slice(0, MAX_SYMBOLS_PER_FILE).map(({ name }) => name);
    return `${id}: ${names.join(', ')}`;
  });
  return [
    `Write a course for developers who are new to this repository. Its title is ${JSON.stringify(label)}.`,
    'What imports what, by directory:',
    directories,
    'The most connected files and what they declare:',
    ...files,
    'Answer with JSON alone: {"introduction": string, "lessons": [{"title": string, "path": string, "symbol": string or null, "text": string, "question": string, "answer": string}]}.',
    'Write 4 to 8 lessons, each about one declaration of the list above, in the order in which a newcomer needs them. Texts are Markdown without headings.',
  ].join('\n\n');
}
