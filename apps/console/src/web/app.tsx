import { scopedRoleLabel } from '@gateway/contract/labels';
import { legible } from '@gateway/contract/legible';
import {
  ActionIcon,
  Anchor,
  AppShell,
  Box,
  Button,
  Container,
  Group,
  Kbd,
  Tabs,
  Text,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useIsFetching, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { SURFACES } from '#tabs';
import { SIGN_OUT, useSession } from './api/queries.ts';
import classes from './app.module.css';
import { OverviewPage } from './pages/overview-page.tsx';
import { ManualLink, PALETTE_KEYS, Palette, Shortcuts, useShortcuts } from './palette.tsx';
import { ShownTab, Surface, useRoute } from './route/use-route.ts';
import { FaultsOfPage } from './ui/fault.tsx';
import { Icon } from './ui/section.tsx';

/** The tabs of the surface whose address this is; the instance's where it is none of the others. */
const PATH = location.pathname in SURFACES ? (location.pathname as keyof typeof SURFACES) : '/';
const TABS = SURFACES[PATH];
const SURFACE = { path: PATH, tabs: TABS.map(({ identifier }) => identifier) };

/** The first page of the instance. */
const OVERVIEW = { label: 'Overview', manual: 'operator/first-start' };

/** The frame of every page: the product's name, the tabs, light or dark. It opens on the overview, or on the first tab. */
export function App() {
  const { route, goTo } = useRoute();
  const named = TABS.find(({ identifier }) => identifier === route.tab);
  const isOverview = PATH === '/' && named === undefined;
  const current = isOverview ? undefined : (named ?? TABS[0]);
  const title = `${current?.label ?? 'Overview'} · Gateway console`;
  useEffect(() => {
    document.title = title;
  }, [title]);
  const [finds, palette] = useDisclosure(false);
  const [helps, help] = useDisclosure(false);
  const queries = useQueryClient();
  useShortcuts(TABS, {
    palette: palette.open,
    help: help.open,
    refresh: () => void queries.invalidateQueries(),
    goTo,
  });
  return (
    <AppShell header={{ height: 56 }} padding="md">
      <Anchor
        href="#main"
        className={classes['skip'] ?? ''}
        onClick={(event) => (event.preventDefault(), document.getElementById('main')?.focus())}
      >
        Skip to the page
      </Anchor>
      <AppShell.Header px="md">
        <Container size="xl" px={0} h="100%">
          <Group h="100%" justify="space-between" gap={8} wrap="nowrap">
            <Group gap={8} wrap="nowrap" miw={0}>
              <img src="/favicon.svg" alt="" width={26} height={26} />
              <Box miw={0}>
                <Text
                  component="h1"
                  fw={650}
                  fz={{ base: 'sm', sm: 'md' }}
                  lh={1.2}
                  m={0}
                  style={{ whiteSpace: 'nowrap' }}
                >
                  {PATH === '/' ? (
                    <Anchor href="#overview" inherit c="inherit" title="Overview">
                      Gateway console
                    </Anchor>
                  ) : (
                    'Gateway console'
                  )}
                </Text>
                <SignedIn on="phone" />
              </Box>
            </Group>
            <Group gap={8} wrap="nowrap" style={{ flexShrink: 0 }}>
              <SignedIn on="wide" />
              <GoTo open={palette.open} />
              <SignOut />
              <Refresh />
              <SchemeToggle />
            </Group>
          </Group>
        </Container>
      </AppShell.Header>
      <Palette opened={finds} close={palette.close} surface={PATH} tabs={TABS} help={help.open} />
      <Shortcuts opened={helps} close={help.close} tabs={TABS} hasOverview={PATH === '/'} />
      <AppShell.Main id="main" tabIndex={-1}>
        <Container size="xl" px={0}>
          <Tabs
            value={current?.identifier ?? 'overview'}
            onChange={(tab) => tab !== null && goTo(tab)}
            keepMounted={false}
          >
            <Group mb="lg" gap="md" wrap="nowrap" align="flex-end">
              <Tabs.List style={{ flex: 1 }}>
                {PATH === '/' && <Tabs.Tab value="overview">{OVERVIEW.label}</Tabs.Tab>}
                {TABS.map(({ identifier, label }) => (
                  <Tabs.Tab key={identifier} value={identifier}>
                    {label}
                  </Tabs.Tab>
                ))}
              </Tabs.List>
              <ManualLink tab={current ?? OVERVIEW} part={route.part} />
            </Group>
            {PATH === '/' && (
              <Tabs.Panel value="overview">
                <Surface value={SURFACE}>
                  <FaultsOfPage>
                    <OverviewPage />
                  </FaultsOfPage>
                </Surface>
              </Tabs.Panel>
            )}
            {TABS.map(({ identifier, page: Page }) => (
              <Tabs.Panel key={identifier} value={identifier}>
                <Surface value={SURFACE}>
                  <ShownTab value={identifier}>
                    <FaultsOfPage>
                      <Page />
                    </FaultsOfPage>
                  </ShownTab>
                </Surface>
              </Tabs.Panel>
            ))}
          </Tabs>
        </Container>
      </AppShell.Main>
    </AppShell>
  );
}

const GO_TO = 'Go to a page, an action or a name';

/** Opens the command palette, and says which keys do; a phone has none of them. */
function GoTo({ open }: { open: () => void }) {
  return (
    <>
      <Button
        variant="default"
        visibleFrom="sm"
        onClick={open}
        title={GO_TO}
        rightSection={PALETTE_KEYS.map((key) => (
          <Kbd key={key} size="xs" ml={2}>
            {key}
          </Kbd>
        ))}
      >
        Go to
      </Button>
      <ActionIcon variant="default" size="lg" hiddenFrom="sm" onClick={open} title={GO_TO} aria-label="Go to">
        <Icon size={18} path={MAGNIFIER} />
      </ActionIcon>
    </>
  );
}

function SignOut() {
  return (
    <>
      <Button component="a" href={SIGN_OUT} variant="default" visibleFrom="sm">
        Sign out
      </Button>
      <ActionIcon
        component="a"
        href={SIGN_OUT}
        variant="default"
        size="lg"
        hiddenFrom="sm"
        title="Sign out"
        aria-label="Sign out"
      >
        <Icon size={18} path={LEAVE} />
      </ActionIcon>
    </>
  );
}

/** The signed-in subject and its roles; on a phone in one line below the product's name. */
function SignedIn({ on }: { on: 'phone' | 'wide' }) {
  const session = useSession();
  if (session === undefined) return null;
  const { subject, roles } = session;
  const name = subject === null ? 'Shared pair' : legible(subject);
  const role = subject === null ? 'opens everything' : roles.map(scopedRoleLabel).join(', ') || 'no role';
  const title = `Signed in as ${name} (${role})`;
  // The shared pair has no page of its own.
  const own = subject === null || PATH === '/me' ? undefined : '/me';
  if (on === 'phone')
    return (
      <Text hiddenFrom="sm" size="xs" c="dimmed" truncate title={title}>
        <Own href={own}>{name}</Own> · {role}
      </Text>
    );
  return (
    <Box visibleFrom="sm" ta="right" maw={260} title={title}>
      <Text size="xs" fw={600} truncate>
        <Own href={own}>{name}</Own>
      </Text>
      <Text size="xs" c="dimmed" truncate>
        {role}
      </Text>
    </Box>
  );
}

/** A name, as a link to the page of the person where there is one. */
const Own = ({ href, children }: { href: string | undefined; children: string }) =>
  href === undefined ? (
    children
  ) : (
    <Anchor href={href} inherit c="inherit" underline="always">
      {children}
    </Anchor>
  );

/** Reloads all shown data on request: updates do not move rows while a person reads them. */
function Refresh() {
  const queries = useQueryClient();
  const reading = useIsFetching() > 0;
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label="Refresh"
      title="Refresh"
      aria-busy={reading}
      style={{ opacity: reading ? 0.6 : 1 }}
      onClick={() => void queries.invalidateQueries()}
    >
      <Icon size={18} path="M20 11a8 8 0 1 0-2.3 6.3M20 4v7h-7" />
    </ActionIcon>
  );
}

const MAGNIFIER = 'M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l5 5';
const LEAVE = 'M14 4H5v16h9M10 12h11M17 8l4 4-4 4';
const MOON = 'M12 3a9 9 0 1 0 9 9 7 7 0 0 1-9-9z';
const SUN =
  'M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12 1v2m0 18v2M4.2 4.2l1.4 1.4m12.8 12.8 1.4 1.4M1 12h2m18 0h2M4.2 19.8l1.4-1.4M18.4 5.6l1.4-1.4';

function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const other = scheme === 'dark' ? 'light' : 'dark';
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={`Switch to the ${other} colours`}
      onClick={() => setColorScheme(other)}
    >
      <Icon size={18} path={other === 'dark' ? MOON : SUN} />
    </ActionIcon>
  );
}
