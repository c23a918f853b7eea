import { WrongUsage } from '../process/fault.ts';

/** `owner/name`, as registries name assistants, agents and servers. */
export function looksLikeSlug(word: string): boolean {
  return /^@?[\w.-]+\/[\w.-]+$/.test(word) && !/^\.{1,2}\//.test(word);
}

/** Refuses a name of a registry with its cause. Other words are left to the caller. */
export function refuseName(option: string, word: string): void {
  if (!looksLikeSlug(word)) return;
  throw new WrongUsage(
    `${option} ${word}: there is no such file, and names of a registry do not resolve, because there is no registry. Give the path of a file.`,
  );
}
