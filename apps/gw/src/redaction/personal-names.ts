/** Shorter names occur in paths for other reasons. */
const SHORTEST_NAME = 3;

/** The parts of a machine's data that identify its owner. */
export interface PersonalNames {
  /** The user's home directory, in each form in which paths name it. */
  readonly homeDirectories: readonly string[];
  readonly userName: string | null;
}

/**
 * A text in which `~` replaces the home directory, and `<user>` the user's name as a path segment: a report is understood
 * without either.
 */
export function withoutPersonalNames(text: string, { homeDirectories, userName }: PersonalNames): string {
  let shown = text;
  for (const directory of homeDirectories) {
    const path = escapePattern(directory.replace(/[\\/]+$/, ''));
    if (path !== '') shown = shown.replaceAll(new RegExp(`(?<![\\w.~-])${path}(?![\\w.-])`, 'gi'), '~');
  }
  if (userName !== null && userName.length >= SHORTEST_NAME) {
    shown = shown.replaceAll(
      new RegExp(`(?<=[\\\\/])${escapePattern(userName)}(?=$|[\\\\/\\s"'’,;:)])`, 'gi'),
      '<user>',
    );
  }
  return shown;
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
