import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useSession } from '../api/session.ts';
import { SIGN_OUT } from '../api/sign-in.ts';
import { LONGEST_TEXT, looksLikeKey } from '../route/param-readers.ts';
import type { Tab } from '../tabs/tab.ts';
import { type Command, matching } from './command.ts';

const go = (to: string) => () => {
  if (to.startsWith('/')) location.assign(to);
  else location.hash = to;
};

/** A search for a name as it was typed, where it can be searched for. */
function searches(typed: string, tabs: readonly Tab[]): readonly Command[] {
  const name = typed.trim();
  if (name === '' || name.length > LONGEST_TEXT || looksLikeKey(name)) return [];
  const has = (tab: string) => tabs.some(({ identifier }) => identifier === tab);
  const of = (label: string, to: string, word: string): Command => ({
    label: `${label} “${name}”`,
    note: 'Search',
    keywords: '',
    run: go(`${to}?${new URLSearchParams({ [word]: name })}`),
  });
  return [
    ...(has('users') ? [of('Users named', 'users', 'search')] : []),
    ...(has('endpoints') ? [of('People and roles of', 'governance/roles', 'search')] : []),
    ...(has('audit') ? [of('Decisions about', 'audit/decisions', 'subject')] : []),
  ];
}

/** All commands of the palette on a surface, for the typed text. */
export function useCommands(
  typed: string,
  surface: string,
  tabs: readonly Tab[],
  help: () => void,
): readonly Command[] {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const queries = useQueryClient();
  const isSharedPair = useSession()?.subject === null;
  const other = scheme === 'dark' ? 'light' : 'dark';
  const destinations: Command[] = [
    ...(surface === '/'
      ? [{ label: 'Overview', note: 'Page', keywords: 'home status start', run: go('overview') }]
      : []),
    ...tabs.map(({ identifier, label }) => ({ label, note: 'Page', keywords: identifier, run: go(identifier) })),
    ...tabs.flatMap(({ label: note, jumps }) =>
      jumps
        .filter(({ isOfSharedPair }) => isSharedPair || isOfSharedPair !== true)
        .map(({ label, to, keywords = '' }) => ({ label, note, keywords, run: go(to) })),
    ),
  ];
  const general: Command[] = [
    { label: 'Refresh', note: 'Console', keywords: 'read again reload', run: () => void queries.invalidateQueries() },
    {
      label: `Switch to the ${other} colours`,
      note: 'Console',
      keywords: 'theme dark light mode',
      run: () => setColorScheme(other),
    },
    { label: 'Keyboard shortcuts', note: 'Console', keywords: 'help keys', run: help },
    { label: 'Sign out', note: 'Console', keywords: 'log out leave', run: go(SIGN_OUT) },
  ];
  return [...matching([...destinations, ...general], typed), ...searches(typed, tabs)];
}
