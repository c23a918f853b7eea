import { SegmentedControl, Stack } from '@mantine/core';
import { useState } from 'react';
import { Acts } from './acts.tsx';
import { AdministrationActions } from './administration-actions.tsx';
import { Decisions } from './decisions.tsx';
import { Detections } from './detections.tsx';
import { Sessions } from './sessions.tsx';
import { SubjectRevocations } from './subject-revocations.tsx';
import { Verification } from './verification.tsx';

const PARTS = {
  Decisions,
  Administration: AdministrationActions,
  'Agent acts': Acts,
  'Agent sessions': Sessions,
  'Secrets found': Detections,
  'Revoked subjects': SubjectRevocations,
  Verification,
} as const;

/** Who was granted or refused what, who changed what, and what agents did. */
export function AuditPage() {
  const [part, setPart] = useState<keyof typeof PARTS>('Decisions');
  const Part = PARTS[part];
  return (
    <Stack gap="lg">
      <SegmentedControl
        aria-label="What to read"
        data={Object.keys(PARTS)}
        value={part}
        onChange={(name) => setPart(name as keyof typeof PARTS)}
        style={{ alignSelf: 'flex-start', maxWidth: '100%', overflowX: 'auto' }}
      />
      <Part />
    </Stack>
  );
}
