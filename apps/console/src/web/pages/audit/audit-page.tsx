import { Parts } from '../../ui/parts.tsx';
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
};

/** The rest is for administrators: without the right to revoke a session or a subject, the lists are not readable either. */
const { decisions, administration, detections, verification, 'agent-acts': acts } = PARTS;
const AUDITORS = { decisions, administration, 'agent-acts': acts, detections, verification };

/** Decisions, administrative changes, and acts of agents. */
export const AuditPage = () => <Parts of="audit" label="What to read" parts={PARTS} />;
export const AuditorsAuditPage = () => <Parts of="audit" label="What to read" parts={AUDITORS} />;
