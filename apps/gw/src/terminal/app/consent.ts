import type { AskPerson, ProjectRequest } from '../../trust/types.ts';
import { explicitText } from '../text/safe.ts';
import { type App, columnsOf, paragraphs, print } from './app.ts';

/** The preselected answer comes first. */
const ANSWERS = [
  ['No', 'no'],
  ['Yes, and keep the answer for this project', 'yes'],
  ['No, and do not ask again', 'never'],
] as const;

/**
 * Asks about what a project's files add. All of it is printed, so that no window is too low for it; the question follows. Keys
 * that were typed before it appeared do not answer it.
 */
export function createConsentDialog(app: App): AskPerson {
  return (request) =>
    new Promise((resolve) => {
      const { state, timers, screen } = app;
      print(app, requestLines(app, request));
      // In a low window the lines above may be out of sight.
      const [first] = request.shown;
      const host = first?.[0] === 'Host' ? ` (${first[1]})` : '';
      const what = request.kind === 'gateway' ? 'this gateway' : `the ${request.kind} ${request.name}`;
      state.questions = [
        ...state.questions,
        {
          id: `consent ${request.place} ${request.name}`,
          question: explicitText(`Agree to ${what}${host}?`),
          options: ANSWERS.map(([text]) => text),
          selected: 0,
          shownAt: timers.now(),
          settle: (text) => resolve(ANSWERS.find(([one]) => one === text)?.[1] ?? 'no'),
        },
      ];
      screen.draw();
    });
}

function requestLines(app: App, { kind, name, shown, place }: ProjectRequest) {
  const columns = columnsOf(app);
  const width = Math.max(...shown.map(([label]) => label.length)) + 2;
  const what = kind === 'gateway' ? 'a gateway' : `the ${kind} ${name}`;
  return [
    ...paragraphs(explicitText(`${place}: this project adds ${what}. It has no effect unless you agree.`), columns, {
      bold: true,
    }),
    ...shown.flatMap(([label, value]) =>
      paragraphs(`  ${label.padEnd(width)}${explicitText(value).replaceAll('\n', ' ⏎ ')}`, columns),
    ),
  ];
}
