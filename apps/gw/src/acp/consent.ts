import { randomUUID } from 'node:crypto';
import { type AgentContext, methods, type PermissionOption } from '@agentclientprotocol/sdk';
import { explicitText } from '../terminal/text/safe.ts';
import { nameOf } from '../trust/open.ts';
import type { AskPerson, ConsentAnswer, ProjectRequest } from '../trust/types.ts';
import { fenceText } from './fence-text.ts';
import { textContent } from './tool-call.ts';

const OPTIONS = [
  { optionId: 'no', name: 'No', kind: 'reject_once' },
  { optionId: 'once', name: 'Yes, in this session', kind: 'allow_once' },
  { optionId: 'yes', name: 'Yes, and keep the answer for this project', kind: 'allow_always' },
  { optionId: 'never', name: 'No, and do not ask again', kind: 'reject_always' },
] as const;

/**
 * Asks in the editor about what a project's files add, as a permission request that shows all of it. An editor that does not
 * answer such requests agrees to nothing.
 */
export function consentIn(client: AgentContext, sessionId: string): AskPerson {
  return async (request) => {
    try {
      const { outcome } = await client.request(methods.client.session.requestPermission, {
        sessionId,
        toolCall: {
          toolCallId: randomUUID(),
          title: `Agree to ${nameOf(request)} of this project?`,
          kind: 'other',
          status: 'pending',
          content: [textContent(requestText(request))],
        },
        options: OPTIONS.map((one): PermissionOption => ({ ...one })),
      });
      return outcome.outcome === 'cancelled' ? 'no' : answerOf(outcome.optionId);
    } catch {
      return 'no'; // `ignored` names it
    }
  };
}

function answerOf(optionId: string): ConsentAnswer {
  return OPTIONS.find((one) => one.optionId === optionId)?.optionId ?? 'no';
}

function requestText({ place, shown }: ProjectRequest): string {
  const rows = shown.map(([label, value]) => `${label}: ${value}`);
  // A code block: Markdown in a value could hide a part of it.
  return `${place} adds it. It has no effect unless you agree.\n\n${fenceText(explicitText(rows.join('\n')))}`;
}
