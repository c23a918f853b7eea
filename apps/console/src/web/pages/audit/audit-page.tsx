import { Parts } from '../../ui/parts.tsx';
import { AdministrationActions, SubjectRevocations } from './administration-actions.tsx';
import { Decisions, Detections } from './decisions.tsx';
import { Acts, Commands, Sessions } from './sessions.tsx';
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
