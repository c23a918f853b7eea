import { describe, expect, it } from 'vitest';
import type { Question } from '../agent/types/index.ts';
import { createBash, createBashOutput, createBashStop } from './bash.ts';
import { type CommandEnd, CommandRefused, type CommandRequest, type CommandRunner } from './jobs.ts';
import { testProject } from './testing/project.ts';
import { agent, askQuestion, checklist, status } from './tools.ts';

describe('AskQuestion', () => {
  it('gives the answer of the person, and their options to them', async () => {
    const asked: Question[] = [];
    const ask = async (question: Question) => {
      asked.push(question);
      return 'the left one';
    };
    const t = await testProject();
    expect(await t.run(askQuestion, { question: 'Which?', options: ['left', 'right'] }, { ask })).toEqual({
      outcome: 'succeeded',
      content: 'the left one',
    });
    await t.run(askQuestion, { question: 'Why?' }, { ask });
    expect(asked).toEqual([
      { question: 'Which?', options: ['left', 'right'] },
      { question: 'Why?', options: [] },
    ]);
  });

  it('says where the person gave no answer, or nobody is there', async () => {
    const t = await testProject();
    expect((await t.run(askQuestion, { question: 'Which?' }, { ask: async () => null })).content).toBe(
      'The user did not answer.',
    );
    expect(await t.run(askQuestion, { question: 'Which?' })).toMatchObject({
      outcome: 'failed',
      content: expect.stringMatching(/^Nobody can answer a question here\./),
    });
  });
});

it('Agent hands on the prompt and the name, and is no tool of a sub-agent', async () => {
  const t = await testProject();
  const requests: unknown[] = [];
  const runAgent = async (request: unknown) => {
    requests.push(request);
    return { outcome: 'succeeded' as const, content: 'found' };
  };
  expect((await t.run(agent, { prompt: 'Look.', agent: 'reviewer' }, { runAgent })).content).toBe('found');
  await t.run(agent, { prompt: 'Look.' }, { runAgent });
  const call = 'call_1';
  expect(requests).toEqual([
    { prompt: 'Look.', agent: 'reviewer', call },
    { prompt: 'Look.', call },
  ]);
  expect(await t.run(agent, { prompt: 'Look.' })).toMatchObject({ outcome: 'failed' });
});

it('Checklist replaces the list, and says how much of it is done', async () => {
  const t = await testProject();
  const items = [
    { text: 'read', state: 'done' },
    { text: 'write', state: 'doing' },
  ];
  expect(await t.run(checklist, { items })).toEqual({
    outcome: 'succeeded',
    content: 'The checklist has 2 items, 1 of them done.',
    display: { kind: 'checklist', items },
  });
  expect(t.checklist).toEqual(items);
  expect((await t.run(checklist, { items: [] })).content).toBe('The checklist has 0 items, 0 of them done.');
});

it('Status is one line', async () => {
  const t = await testProject();
  const shown: string[] = [];
  await t.run(status, { state: 'reading\n  the\ttests' }, { setStatus: (text) => void shown.push(text) });
  expect(shown).toEqual(['reading the tests']);
});

/** A runner on the gateway that answers as the test says. */
function elsewhere(end: CommandEnd | Error) {
  const requests: CommandRequest[] = [];
  const runner: CommandRunner = {
    location: 'the gateway https://gateway.example',
    async start(request, output) {
      requests.push(request);
      if (end instanceof Error) throw end;
      output('from there\n');
      return { ended: Promise.resolve(end), stop: async () => undefined };
    },
  };
  return { requests, runner };
}

describe('Bash on the gateway', () => {
  it('says where it ran, copies nothing of the project, and names its session and parent', async () => {
    const t = await testProject();
    const copied: string[] = [];
    const snapshots = { ...t.context.snapshots, beforeCommand: async () => void copied.push('copied') };
    const { requests, runner } = elsewhere({ code: 0, signal: null });
    const bash = createBash(t.jobs, async () => runner);
    const run = (args: object) => t.run(bash, args, { snapshots, parentSession: 'parent', planMode: true });
    expect((await run({ command: 'make' })).content).toBe(
      'from there\n[exit code 0; it ran on the gateway https://gateway.example]',
    );
    expect((await run({ command: 'make', background: true })).content).toMatch(
      /^The command runs on the gateway https:\/\/gateway\.example as job 1\./,
    );
    expect(requests).toMatchObject([
      { command: 'make', session: t.context.session, parentSession: 'parent', readOnly: true },
      { background: true },
    ]);
    expect(copied).toEqual([]);
  });

  it('shows before the approval where it would run', async () => {
    const t = await testProject();
    const bash = createBash(t.jobs, async () => elsewhere({ code: 0, signal: null }).runner);
    expect(await bash.preview?.({ command: 'make' }, t.context)).toEqual({
      kind: 'command',
      command: 'make',
      note: 'runs on the gateway https://gateway.example',
    });
    expect(await bash.preview?.({ command: 'make', background: true }, t.context)).toMatchObject({
      note: 'runs in the background on the gateway https://gateway.example',
    });
  });

  it.each([true, undefined])(
    'that is refused is not run, and the person is informed (background: %s)',
    async (background) => {
      const t = await testProject();
      const { runner } = elsewhere(new CommandRefused('This gateway runs no commands.'));
      const bash = createBash(t.jobs, async () => runner);
      expect(await t.run(bash, { command: 'make', background })).toEqual({
        outcome: 'failed',
        content: 'This gateway runs no commands.',
      });
      expect([t.warnings, t.jobs.list()]).toEqual([['This gateway runs no commands.'], []]);
    },
  );

  it('that something else ended fails with the reason, though its code is 0', async () => {
    const t = await testProject();
    const { runner } = elsewhere({ code: 0, signal: null, fault: 'The gateway ended it.' });
    const bash = createBash(t.jobs, async () => runner);
    expect(await t.run(bash, { command: 'make' })).toMatchObject({
      outcome: 'failed',
      content: expect.stringContaining('[The gateway ended it.; it ran on'),
    });
  });
});

describe('a job', () => {
  it('that ended by itself says how, and is not stopped again', async () => {
    const t = await testProject();
    const bash = createBash(t.jobs, async () => elsewhere({ code: 3, signal: null }).runner);
    await t.run(bash, { command: 'make', background: true });
    await expect.poll(() => t.jobs.list()[0]?.state).toBe('ended');
    expect((await t.run(createBashOutput(t.jobs), { job: '1' })).content).toBe('from there\n[exit code 3]');
    expect((await t.run(createBashStop(t.jobs), { job: '1' })).content).toBe('Job 1 had ended already (exit code 3).');
  });

  it('that does not exist is named with those that do', async () => {
    const t = await testProject();
    expect(await t.run(createBashOutput(t.jobs), { job: '1' })).toEqual({
      outcome: 'failed',
      content: 'There is no job 1. No job was started.',
    });
  });
});
