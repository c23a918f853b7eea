import { Alert, Badge, Button, Group, List, Radio, Skeleton, Stack, Text } from '@mantine/core';
import { type ComponentType, useEffect, useState } from 'react';
import { type ChangeCall, useChange } from '../../api/change.tsx';
import { listPath } from '../../api/list.ts';
import type { PolicyRevision } from '../../api/objects.ts';
import { request, useRead } from '../../api/request.ts';
import { useOpened } from '../../route/use-search-params.ts';
import { Confirm, TypedConfirm } from '../../ui/confirm.tsx';
import { Fault, ReadFault } from '../../ui/fault.tsx';
import { Section } from '../../ui/section.tsx';
import { inWords } from '../../ui/time.tsx';
import { useDraft } from '../../ui/use-editing.ts';
import type { ReadNames } from './cedar-language.ts';
import type { ColouredEditorProps, Selected } from './coloured-editor.tsx';
import { Difference, Superseded } from './history.tsx';
import { Lockouts, type PolicyPreview, Preview, Templates } from './preview.tsx';
import { TextEditor, type TextEditorProps } from './text-editor.tsx';

interface OwnRevision {
  readonly revision: number;
  readonly at: string;
  readonly names: readonly string[];
}

/** What the reader installed: revisions, with the names of the rules that were handed in, to be put into the editor again. */
function OwnRevisions({ restore }: { restore: (cedar: string) => void }) {
  const [fault, setFault] = useState<string | null>(null);
  const take = (revision: number) =>
    request<{ cedar: string }>('GET', `/api/policies/own/${revision}`).then(
      ({ cedar }) => (setFault(null), restore(cedar)),
      (error: unknown) => setFault(error instanceof Error ? error.message : String(error)),
    );
  const read = useRead<{ policies: readonly OwnRevision[] }>('/api/policies/own?limit=5');
  const { data } = read;
  if (data === undefined || data.policies.length === 0) return <ReadFault of={[read]} part="what you installed" />;
  return (
    <div>
      <Text size="sm" fw={600}>
        What you installed
      </Text>
      <List size="sm">
        {data.policies.map(({ revision, at, names }) => (
          <List.Item key={revision}>
            Revision {revision}, {inWords(new Date(at))}: {names.length === 0 ? 'no rule' : names.join(', ')}
            {names.length > 0 && (
              <Button
                size="compact-xs"
                variant="subtle"
                ml={6}
                aria-label={`Put revision ${revision} into the editor`}
                onClick={() => void take(revision)}
              >
                Put into the editor
              </Button>
            )}
          </List.Item>
        ))}
      </List>
      {fault !== null && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {fault}
        </Text>
      )}
    </div>
  );
}

const PAUSE_MILLISECONDS = 600;

/**
 * The console's check of a text, requested shortly after the last key; null until the result for exactly this text is there.
 */
function usePreview(text: string, isWritten: boolean): [PolicyPreview | null, (preview: PolicyPreview) => void] {
  const [known, setKnown] = useState<{ text: string; preview: PolicyPreview } | null>(null);
  const isKnown = known?.text === text;
  useEffect(() => {
    if (!isWritten || isKnown || text.trim() === '') return undefined;
    const abort = new AbortController();
    const timer = setTimeout(() => {
      request<PolicyPreview>('POST', '/api/policies/check', { cedar: text }, abort.signal).then(
        (preview) => setKnown({ text, preview }),
        () => undefined, // "Check" and "Install" report errors
      );
    }, PAUSE_MILLISECONDS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [text, isWritten, isKnown]);
  return [isKnown ? known.preview : null, (preview) => setKnown({ text, preview })];
}

/** The draft of the next revision, and the revision it began from. */
interface Draft {
  readonly text: string;
  readonly since: number;
}

interface Installed {
  readonly added: number;
  readonly removed: number;
}

const EDITOR = 'Cedar policy set';
const DRAFT = 'authorization policy';

const focusEditor = (): void => document.querySelector<HTMLElement>(`[aria-label="${EDITOR}"]`)?.focus();

/** Puts a text into the editor of the next revision, and the keyboard with it. */
export function useRestore(): (text: string) => void {
  const inForce = useRead<{ policy: PolicyRevision | null }>('/api/policies/in-force');
  const [, setDraft] = useDraft<Draft>(DRAFT);
  return (text) => {
    setDraft({ text, since: inForce.data?.policy?.revision ?? 0 });
    focusEditor();
  };
}

const rules = (number: number): string => (number === 1 ? '1 rule' : `${number} rules`);

const LIFT: ChangeCall = {
  method: 'POST',
  path: '/api/policies/lift',
  done: 'Lifted. It takes effect with the next call.',
};

/** The Cedar policy set that narrows the role matrix: edited, checked, compared with the revision in force, installed. */
export function AuthorizationPolicy() {
  const inForce = useRead<{ policy: PolicyRevision | null }>('/api/policies/in-force');
  const current = inForce.data?.policy ?? null;
  const [draft, setDraft] = useDraft<Draft>(DRAFT);
  const text = draft?.text ?? current?.cedar ?? '';
  const [fresh, setPreview] = usePreview(text, draft !== null);
  const [takesFocus] = useOpened('policy');
  const [asked, setAsked] = useState<PolicyPreview | null>(null);
  const write = (next: string) => setDraft({ text: next, since: draft?.since ?? current?.revision ?? 0 });
  /** Whether the reader installs a policy without the right to read the one it replaces. */
  const isBlind = inForce.error?.status === 403;
  // A failed read is not shown as empty to a reader who has the right to read it.
  const isWritable = inForce.data !== undefined || isBlind || draft !== null;
  // Loaded data stays in view when a later read fails: the fault shows how old it is.
  const isKnown = inForce.data !== undefined && !isBlind;
  const restricts = current !== null && current.cedar.trim() !== '';
  const [chosen, setMode] = useState<'append' | 'replace' | null>(null);
  /** A reader who cannot see the policy in force adds to it, unless replacing it is chosen. */
  const appends = (chosen ?? (isBlind ? 'append' : 'replace')) === 'append';
  const check = useChange<PolicyPreview>();
  const install = useChange<{ revision: number }>();
  const installation: ChangeCall = {
    method: 'POST',
    path: '/api/policies',
    body: appends ? { cedar: text, mode: 'append' } : { cedar: text },
    // A reader of the policy in force saw the difference; the others learn its size.
    done: ({ added, removed }: Installed) =>
      isBlind
        ? `Installed: ${rules(added)} added, ${rules(removed)} removed. It takes effect with the next call.`
        : 'Installed. It takes effect with the next call.',
  };
  const installed = ({ revision }: { revision: number }) =>
    setDraft((now) => (now === null || now.text === text ? null : { ...now, since: revision }));
  const lifted = ({ revision }: PolicyRevision) =>
    setDraft((now) => (now === null || now.text.trim() === '' ? null : { ...now, since: revision }));
  const checked = (then: (preview: PolicyPreview) => void) => {
    if (fresh !== null) return then(fresh);
    check.mutate(
      { method: 'POST', path: '/api/policies/check', body: { cedar: text } },
      { onSuccess: (preview) => (setPreview(preview), then(preview)) },
    );
  };
  const begin = (preview: PolicyPreview) => {
    if (preview.faults.length > 0) return;
    if (preview.lockouts.length > 0 || (isBlind && !appends)) setAsked(preview);
    else install.mutate(installation, { onSuccess: installed });
  };
  const isInstallable =
    isWritable &&
    text.trim() !== '' &&
    !(fresh !== null && fresh.faults.length > 0) &&
    !install.isPending &&
    !check.isPending;
  const isSound = fresh !== null && fresh.faults.length === 0;
  return (
    <Section
      title="Authorization policy"
      about="Narrows what the roles permit, never widens it: a Cedar policy set with forbid policies only. It takes effect with the next call."
      actions={isKnown && <InForce current={current} />}
    >
      <TypedConfirm
        opened={asked !== null}
        close={() => setAsked(null)}
        title={asked !== null && asked.lockouts.length > 0 ? 'Lock people out?' : 'Replace a policy you cannot see?'}
        submit="Install"
        word={asked !== null && asked.lockouts.length > 0 ? 'lockout' : 'replace'}
        change={() => installation}
        onDone={installed}
      >
        <Lockouts lockouts={asked?.lockouts ?? []} />
        {isBlind && !appends && (
          <Text size="sm">
            The policy in force is hidden from your role. Your text replaces all of it: a rule that is not in your text
            no longer applies. Ask an auditor for the text in force if you mean to add to it.
          </Text>
        )}
      </TypedConfirm>
      <Stack gap="sm">
        {isBlind ? (
          <Alert color="yellow" variant="light" role="note" title="You cannot see the policy in force">
            <Text size="sm">
              Reading the policy in force is the auditor's right. You can add rules to it, or replace all of it.
            </Text>
          </Alert>
        ) : (
          <Fault
            error={inForce.error}
            retry={inForce.refetch}
            {...(inForce.data === undefined ? {} : { since: inForce.dataUpdatedAt })}
          />
        )}
        {inForce.isPending && (
          <Skeleton height="21em" role="status" aria-busy="true" aria-label="Authorization policy: loading" />
        )}
        {isBlind && (
          <Radio.Group
            label="Your text"
            value={appends ? 'append' : 'replace'}
            onChange={(next) => setMode(next === 'append' ? 'append' : 'replace')}
          >
            <Group mt={4}>
              <Radio value="append" label="is added to the policy in force" />
              <Radio value="replace" label="replaces all of it" />
            </Group>
          </Radio.Group>
        )}
        {isBlind && (
          <OwnRevisions
            restore={(cedar) => {
              write(cedar);
              focusEditor();
            }}
          />
        )}
        {isWritable && (
          <>
            <CedarEditor
              label={EDITOR}
              value={text}
              onChange={write}
              faults={fresh?.faults ?? []}
              takesFocus={takesFocus}
              onSubmit={() => isInstallable && checked(begin)}
            />
            <Group>
              <Templates insert={(cedar) => write(text.trim() === '' ? cedar : `${text.trimEnd()}\n\n${cedar}`)} />
            </Group>
          </>
        )}
        {isSound && (
          <>
            <Preview {...fresh} />
            <Text size="sm" c="dimmed">
              {isKnown ? 'The text can be installed. This is what would change:' : 'The text can be installed.'}
            </Text>
            {isKnown && <Difference before={current?.cedar ?? ''} after={text} />}
          </>
        )}
        {/* While an installation is sent, the newer revision that is read may be the one it made. */}
        {draft !== null && current !== null && draft.since < current.revision && !install.isPending && (
          <Superseded by={current} showIt={() => setDraft(null)} />
        )}
        <Fault error={check.error ?? install.error} />
        <Group justify="flex-end">
          {restricts && (
            <Confirm
              label="Lift"
              title="Lift every restriction"
              consequence="From the next call, only the role matrix applies: a revision without a policy replaces the one in force. Every revision stays in the history."
              change={() => LIFT}
              onDone={lifted}
              size="sm"
            />
          )}
          {isBlind && <BlindLift done={lifted} />}
          <Button
            variant="default"
            loading={check.isPending}
            disabled={!isWritable}
            onClick={() =>
              check.mutate(
                { method: 'POST', path: '/api/policies/check', body: { cedar: text } },
                { onSuccess: setPreview },
              )
            }
          >
            Check
          </Button>
          <Button
            // A click while the text is checked would be lost: one request is sent at a time.
            loading={install.isPending || check.isPending}
            title="Ctrl or Command with Enter, in the editor"
            disabled={!isWritable || text.trim() === '' || (fresh !== null && fresh.faults.length > 0)}
            onClick={() => checked(begin)}
          >
            Install
          </Button>
        </Group>
      </Stack>
    </Section>
  );
}

function InForce({ current }: { current: PolicyRevision | null }) {
  const isEmpty = current === null || current.cedar === '';
  return (
    <Badge variant="light" color={isEmpty ? 'gray' : 'indigo'}>
      {current === null
        ? 'none installed'
        : isEmpty
          ? `revision ${current.revision}: empty`
          : `revision ${current.revision} in force`}
    </Badge>
  );
}

/** Lifts the policy in force for users who cannot see it: the dialog says so, and requires more than a click. */
function BlindLift({ done }: { done: (revision: PolicyRevision) => void }) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button variant="subtle" color="red" onClick={() => setOpened(true)}>
        Remove whatever is in force …
      </Button>
      <TypedConfirm<PolicyRevision>
        opened={opened}
        close={() => setOpened(false)}
        title="Lift restrictions you cannot see"
        submit="Lift"
        word="lift"
        change={() => LIFT}
        onDone={done}
      >
        <Text size="sm">
          You cannot see which restrictions are in force, or whether there are any. All of them end with the next call:
          only the role matrix applies. An auditor can read what was in force in the history.
        </Text>
      </TypedConfirm>
    </>
  );
}

/** The lists in which names of a type are found. */
const LISTS: Readonly<Record<string, { readonly path: string; readonly plural: string; readonly name: string }>> = {
  Endpoint: { path: '/api/endpoints', plural: 'endpoints', name: 'name' },
  Subject: { path: '/api/subjects', plural: 'subjects', name: 'subject' },
};

const readNames: ReadNames = async (type, text) => {
  const list = LISTS[type];
  if (list === undefined) return [];
  try {
    const path = listPath(list.path, { search: text, limit: '50' });
    const answer = await request<Readonly<Record<string, readonly Record<string, string>[]>>>('GET', path);
    return (answer[list.plural] ?? []).map((row) => row[list.name] ?? '');
  } catch {
    return []; // who may not read the list types the name
  }
};

/** The editor that was loaded, and what was selected in the plain one; null: the keyboard was elsewhere. */
interface Loaded {
  readonly editor: ComponentType<ColouredEditorProps>;
  readonly selected: Selected | null;
}

/** What is selected in a field that the keyboard is in, or where its cursor is; null where the keyboard is elsewhere. */
function selectedIn(label: string): Selected | null {
  const field = document.activeElement;
  const isHere = field instanceof HTMLTextAreaElement && field.getAttribute('aria-label') === label;
  return isHere ? { anchor: field.selectionStart, head: field.selectionEnd } : null;
}

/**
 * A Cedar policy set as a text. The editor that colours it is loaded with this page only: until it is here, and where it cannot be
 * loaded, a plain one takes the text.
 */
function CedarEditor(props: TextEditorProps) {
  const [loaded, setLoaded] = useState<Loaded | null>(null);
  useEffect(() => {
    let isShown = true;
    const load = async () => {
      try {
        const { ColouredEditor } = await import('./coloured-editor.tsx');
        if (isShown) setLoaded({ editor: ColouredEditor, selected: selectedIn(props.label) });
      } catch {
        // The plain editor stays.
      }
    };
    load().catch(() => undefined);
    return () => {
      isShown = false;
    };
  }, [props.label]);
  if (loaded === null) return <TextEditor {...props} />;
  const { editor: Editor, selected } = loaded;
  const takesFocus = selected !== null || props.takesFocus === true;
  return <Editor {...props} takesFocus={takesFocus} {...(selected === null ? {} : { selected })} names={readNames} />;
}
