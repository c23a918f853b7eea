import { WrongUsage } from '../../process/fault.ts';
import { defineCommand, isGiven, valueOf } from '../command/command.ts';
import { ACTIONS, type CourseOptions } from './options.ts';

/** Which action takes an option. */
const BELONGS: Readonly<Record<string, (typeof ACTIONS)[number]>> = {
  '--update': 'check',
  '--json': 'check',
  '--label': 'design',
  '--sortie': 'design',
  '--config': 'design',
};

export const course = defineCommand({
  usage: {
    name: 'gw course',
    purpose:
      'Courses teach a repository: Markdown files in docs/course or .gateway/courses whose lessons are linked to code. A lesson is reopened when its code changes.',
    positionals: [
      {
        name: '<action>',
        about:
          'follow: go through the lessons; review: repeat what is due or changed; check: for CI; design: draft a course',
      },
      { name: '[course]', about: 'the Markdown file (default: the courses of this repository)' },
    ],
    options: [
      { long: '--update', about: 'check: record the code of every lesson as it is now, after you revised the lessons' },
      { long: '--json', about: 'check: print the result as JSON' },
      { long: '--label', value: '<label>', about: 'design: title of the course' },
      { long: '--sortie', value: '<file>', about: 'design: the file to write; it must not exist' },
      { long: '--config', value: '<file>', about: 'design: configuration that names the model' },
    ],
    notes: [
      'follow, review and check use no model and no network. Progress is kept in ~/.gateway/courses.',
      'Exit code: 0 done; 1 check found reopened lessons, or the course could not be read or written; 2 wrong usage.',
    ],
    examples: [
      { line: 'gw course follow', does: 'continues with the first lesson that is not finished' },
      {
        line: 'gw course check',
        does: 'exits with 1 when the code of a lesson changed, and names lesson, symbol and commit',
      },
      {
        line: 'gw course design --label "The life of a call" --sortie docs/course/call.md',
        does: 'drafts a course with the model',
      },
    ],
  },
  parse(given): CourseOptions {
    const [word = '', path = null] = given.positionals;
    const action = ACTIONS.find((each) => each === word);
    if (action === undefined)
      throw new WrongUsage(`gw course takes ${ACTIONS.join(', ')}, not ${JSON.stringify(word)}.`);
    for (const { name } of given.options) {
      const owner = BELONGS[name];
      if (owner !== undefined && owner !== action) throw new WrongUsage(`${name} belongs to gw course ${owner}.`);
    }
    const [label, output] = [valueOf(given, '--label'), valueOf(given, '--sortie')];
    if (action === 'design' && (label === null || output === null)) {
      throw new WrongUsage('gw course design needs --label <label> and --sortie <file>.');
    }
    if (action === 'design' && path !== null)
      throw new WrongUsage(`gw course design takes no course: ${JSON.stringify(path)}.`);
    const [update, json] = [isGiven(given, '--update'), isGiven(given, '--json')];
    return { action, course: path, update, json, label, output, config: valueOf(given, '--config') };
  },
  async run(context, options) {
    if (options.action === 'check') return (await import('./course-check.ts')).checkCourses(context, options);
    if (options.action === 'design') return (await import('./course-design.ts')).designCourse(context, options);
    return (await import('./course-follow.ts')).followCourse(context, options);
  },
});
