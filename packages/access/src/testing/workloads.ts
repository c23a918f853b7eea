import { importJWK, type JWK, SignJWT } from 'jose';

/** Claims of tokens as three platforms issue them to jobs and pods, except issuer, audience and times. */
export const WORKLOAD_CLAIMS = {
  github: {
    sub: 'repo:acme/app:ref:refs/heads/main',
    jti: '2ab4b1c9-9d0c-4b1e-9d6f-0f8b5a1d7c3e',
    ref: 'refs/heads/main',
    sha: 'f1d2d2f924e986ac86fdf7b36c94bcdf32beec15',
    repository: 'acme/app',
    repository_owner: 'acme',
    repository_owner_id: '12345',
    repository_visibility: 'private',
    repository_id: '67890',
    actor: 'octocat',
    actor_id: '1',
    workflow: 'ci',
    head_ref: '',
    base_ref: '',
    event_name: 'push',
    ref_type: 'branch',
    ref_protected: 'true',
    run_id: '1001',
    run_number: '7',
    run_attempt: '1',
    runner_environment: 'github-hosted',
    job_workflow_ref: 'acme/app/.github/workflows/ci.yml@refs/heads/main',
  },
  gitlab: {
    sub: 'project_path:acme/app:ref_type:branch:ref:main',
    namespace_id: '72',
    namespace_path: 'acme',
    project_id: '20',
    project_path: 'acme/app',
    user_id: '1',
    user_login: 'sidney',
    user_email: 'sidney@example.com',
    pipeline_id: '574',
    pipeline_source: 'push',
    job_id: '302',
    ref: 'main',
    ref_type: 'branch',
    ref_path: 'refs/heads/main',
    ref_protected: 'true',
    runner_environment: 'self-hosted',
    sha: '714a629c0b401fdce83e847fc9589983fc6f46bc',
  },
  kubernetes: {
    sub: 'system:serviceaccount:ci:builder',
    jti: 'ea28ed49-2e11-4280-9ec5-bc3d1d84661a',
    'kubernetes.io': {
      namespace: 'ci',
      node: { name: 'node-1', uid: '7d1b0c5e-58e8-4b83-9d9f-7ae7a64d2b1f' },
      pod: { name: 'builder-0', uid: '58456cb0-dd00-45ed-b797-5578fdceaced' },
      serviceaccount: { name: 'builder', uid: '14ee3fa4-a7e2-420f-9f9a-dbc4507c3798' },
      warnafter: 1_732_000_000,
    },
  },
} as const;

const AUDIENCE = 'https://gateway.example';

/** The rules that the manual gives for them. */
export const WORKLOAD_RULES = {
  github: {
    name: 'github',
    issuer: 'https://token.actions.githubusercontent.com',
    audience: AUDIENCE,
    claims: { repository_owner_id: '12345', ref: ['refs/heads/main', 'refs/tags/v*'] },
    subject: 'workload:github:{repository}@{ref}',
    maximumAgeSeconds: 900,
  },
  gitlab: {
    name: 'gitlab',
    issuer: 'https://gitlab.example',
    audience: AUDIENCE,
    claims: { namespace_path: 'acme', ref_protected: 'true' },
    subject: 'workload:gitlab:{project_path}@{ref}',
  },
  kubernetes: {
    name: 'cluster-1',
    issuer: 'https://kubernetes.default.svc.cluster.local',
    keysFile: 'cluster-1-keys.json',
    audience: AUDIENCE,
    claims: { 'kubernetes.io/namespace': ['ci', 'agents-*'] },
    subject: 'workload:cluster-1:{kubernetes.io/namespace}:{kubernetes.io/serviceaccount/name}',
  },
} as const;

/** A token with these claims, signed with a private key of a platform (RS256). */
export async function signedToken(claims: Readonly<Record<string, unknown>>, key: JWK | undefined): Promise<string> {
  if (key === undefined) throw new Error('a platform has a key');
  const header = { alg: 'RS256', typ: 'JWT', ...(key.kid === undefined ? {} : { kid: key.kid }) };
  return new SignJWT({ ...claims }).setProtectedHeader(header).sign(await importJWK(key, 'RS256'));
}
