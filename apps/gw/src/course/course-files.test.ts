import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folder.ts';
import { findCourses, readCourse } from './course-files.ts';

const course = (title: string): string => `# ${title}\n\n## One\n\n<!-- code: a.ts -->\n`;

function project(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

describe('the courses of a project', () => {
  it('are the Markdown files of both folders, those of docs first, each by name', async () => {
    const folder = project({
      '.gateway/courses/a.md': course('Third'),
      'docs/course/b.md': course('Second'),
      'docs/course/a.md': course('First'),
      'docs/course/README.md': 'About these courses.',
      'docs/course/notes.txt': 'none',
      'docs/other.md': 'none',
    });
    const found = await findCourses(folder);
    expect(found.map(({ path, course: { title } }) => [path, title])).toEqual([
      ['docs/course/a.md', 'First'],
      ['docs/course/b.md', 'Second'],
      ['.gateway/courses/a.md', 'Third'],
    ]);
  });

  it('are none where there is no folder', async () => {
    expect(await findCourses(project({}))).toEqual([]);
  });

  it('are read by a path in the project, or by any other', async () => {
    const folder = project({ 'x.md': course('X') });
    expect(await readCourse(folder, 'x.md')).toMatchObject({ path: 'x.md', text: course('X') });
    const elsewhere = project({});
    expect(await readCourse(elsewhere, join(folder, 'x.md'))).toMatchObject({ file: join(folder, 'x.md') });
  });

  it('name file and line of what is wrong, and what to name where there is none', async () => {
    const folder = project({ 'docs/course/a.md': '# A\n\n## One\n\ntext\n' });
    await expect(findCourses(folder)).rejects.toThrow('docs/course/a.md, line 3: The lesson "One" has no code.');
    await expect(readCourse(folder, 'gone.md')).rejects.toThrow(
      'There is no course gone.md. Name the Markdown file of a course.',
    );
    await expect(readCourse(folder, 'docs')).rejects.toThrow('There is no course docs.');
  });
});
