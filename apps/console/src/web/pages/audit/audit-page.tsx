import { SegmentedControl, Stack } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { usePlace } from '../../place/use-place.ts';
import { Acts } from './acts.tsx';
import { AdministrationActions } from './administration-actions.tsx';
import { Commands } from './commands.tsx';
import { Decisions } from './decisions.tsx';
import { Detections } from './detections.tsx';
import { Sessions } from './sessions.tsx';
import { SubjectRevocations } from './subject-revocations.tsx';
import { Verification } from './verification.tsx';

const PARTS = {
  decisions: { label: 'Decisions', part: Decisions },
  administration: { label: 'Administration', part: AdministrationActions },
  'agent-acts': { label: 'Agent acts', part: Acts },
  'agent-sessions': { label: 'Agent sessions', part: Sessions },
  'agent-commands': { label: 'Agent commands', part: Commands },
  detections: { label: 'Secrets found', part: Detections },
  'revoked-subjects': { label: 'Revoked subjects', part: SubjectRevocations },
  verification: { label: 'Verification', part: Verification },
} as const;
type Name = keyof typeof PARTS;

const EVERY = Object.keys(PARTS) as Name[];
/** The rest is what administrators do: whoever may not revoke a session or a subject may not list them either. */
const AUDITORS: readonly Name[] = ['decisions', 'administration', 'agent-acts', 'detections', 'verification'];

export const AuditPage = () => <Audit parts={EVERY} />;
export const AuditorsAuditPage = () => <Audit parts={AUDITORS} />;

/** Who was granted or refused what, who changed what, and what agents did. The part stands in the address: `#audit/verification`. */
function Audit({ parts }: { parts: readonly Name[] }) {
  const { place, goTo } = usePlace();
  const name = parts.find((part) => part === place.part) ?? 'decisions';
  const Part = PARTS[name].part;
  // On a small screen the names are wider than it: the one that is chosen is brought into sight.
  const names = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const chosen = names.current?.querySelector(`input[value="${name}"] + label`);
    chosen?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [name]);
  return (
    <Stack gap="lg">
      <div ref={names} style={{ overflowX: 'auto' }}>
        <SegmentedControl
          aria-label="What to read"
          data={parts.map((value) => ({ value, label: PARTS[value].label }))}
          value={name}
          onChange={(next) => goTo('audit', next)}
        />
      </div>
      <Part />
    </Stack>
  );
}
