import type { TokenRule } from '../verify/rule.ts';

const GITLAB = 'https://docs.gitlab.com/security/tokens/#token-prefixes';

/** Git hosts and what works on repositories. */
export const SOURCE_HOSTING_RULES: readonly TokenRule[] = [
  {
    id: 'github-token',
    title: 'GitHub token',
    kind: 'access-token',
    source: 'https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/',
    wrapped: true,
    forms: [
      'ghp_[A-Za-z0-9]{36}',
      'gho_[A-Za-z0-9]{36}',
      'ghu_[A-Za-z0-9]{36}',
      'ghs_[A-Za-z0-9]{36}',
      'ghr_[A-Za-z0-9]{36,76}',
    ],
    checksum: 'crc32-base62',
  },
  {
    id: 'github-installation-token',
    title: 'GitHub App installation token',
    kind: 'access-token',
    source:
      'https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github',
    forms: ['ghs_[A-Za-z0-9]{1,40}_eyJ[A-Za-z0-9_-]{16,800}.[A-Za-z0-9_-]{16,2000}.[A-Za-z0-9_-]{16,800}'],
  },
  {
    id: 'github-fine-grained-token',
    title: 'GitHub fine-grained personal access token',
    kind: 'access-token',
    source:
      'https://docs.github.com/en/authentication/keeping-your-account-and-data-secure/about-authentication-to-github',
    forms: ['github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{56,61}'],
  },
  {
    id: 'gitlab-token',
    title: 'GitLab token',
    kind: 'access-token',
    source: GITLAB,
    wrapped: true,
    forms: [
      'glpat-[A-Za-z0-9_.-]{20,300}',
      'glrt-[A-Za-z0-9_.-]{20,300}',
      'glrtr-[A-Za-z0-9_.-]{20,300}',
      'gldt-[A-Za-z0-9_-]{20,40}',
      'glptt-[a-f0-9]{40}',
      'glcbt-[A-Za-z0-9]{1,6}_[A-Za-z0-9_-]{20,64}',
      'glffct-[A-Za-z0-9_-]{20,40}',
      'glft-[A-Za-z0-9_-]{20,40}',
      'glimt-[A-Za-z0-9_-]{25}',
      'glagent-[A-Za-z0-9_-]{50,60}',
      'glsoat-[A-Za-z0-9_-]{20,40}',
      'gloas-[A-Za-z0-9_-]{64}',
      'glwt-[A-Za-z0-9_-]{20,64}',
      'GR1348941[A-Za-z0-9_-]{20}',
    ],
  },
  {
    id: 'gitlab-session',
    title: 'GitLab session cookie',
    kind: 'access-token',
    source: GITLAB,
    forms: ['_gitlab_session=^[a-f0-9]{32}'],
  },
  {
    id: 'bitbucket-token',
    title: 'Bitbucket app password or token',
    kind: 'access-token',
    source: 'https://support.atlassian.com/bitbucket-cloud/docs/access-tokens/',
    forms: ['ATBB[A-Za-z0-9_=.-]{28,40}', 'ATCTT3xFfG[A-Za-z0-9_=+/-]{80,300}'],
  },
  {
    id: 'atlassian-api-token',
    title: 'Atlassian API token',
    kind: 'access-token',
    source: 'https://support.atlassian.com/atlassian-account/docs/manage-api-tokens-for-your-atlassian-account/',
    forms: ['ATATT3[A-Za-z0-9_=-]{90,300}', 'ATSTT3[A-Za-z0-9_=-]{90,300}'],
  },
  {
    id: 'sourcegraph-token',
    title: 'Sourcegraph access token',
    kind: 'access-token',
    source: 'https://sourcegraph.com/docs/cli/how-tos/creating_an_access_token',
    forms: [
      'sgp_[a-f0-9]{40}',
      'sgp_[a-f0-9]{16}_[a-f0-9]{40}',
      'sgp_local_[a-f0-9]{40}',
      'sgd_[a-f0-9]{64}',
      'slk_[a-f0-9]{64}',
    ],
  },
  {
    id: 'sonar-token',
    title: 'SonarQube token',
    kind: 'access-token',
    source: 'https://docs.sonarsource.com/sonarqube-server/latest/user-guide/managing-tokens/',
    forms: ['squ_[a-f0-9]{40}', 'sqp_[a-f0-9]{40}', 'sqa_[a-f0-9]{40}'],
  },
  {
    id: 'code-analysis-token',
    title: 'DeepSource, Socket, Snyk or Semgrep token',
    kind: 'access-token',
    source: 'https://docs.socket.dev/docs/api-keys',
    forms: [
      'dsp_[a-f0-9]{40}',

      'sktsec_[A-Za-z0-9_-]{40,70}',
      'snyk_uat.[a-z0-9]{8}.[A-Za-z0-9_-]{40,400}',
      'snyk_sat.[a-z0-9]{8}.[A-Za-z0-9_-]{40,400}',
    ],
  },
  {
    id: 'mergify-key',
    title: 'Mergify application key',
    kind: 'access-token',
    source: 'https://docs.mergify.com/api/',
    forms: ['mergify_application_key_[A-Za-z0-9_-]{40,200}'],
  },
  {
    id: 'readme-api-key',
    title: 'ReadMe API key',
    kind: 'access-token',
    source: 'https://docs.readme.com/main/reference/intro/authentication',
    forms: ['rdme_[a-z0-9]{70}'],
  },
  {
    id: 'postman-key',
    title: 'Postman key',
    kind: 'access-token',
    source: 'https://learning.postman.com/docs/reference/postman-api/authentication/',
    forms: ['PMAK-[a-f0-9]{24}-[a-f0-9]{34}', 'PMAT-[A-Z0-9]{26}'],
  },
  {
    id: 'gitbook-token',
    title: 'GitBook token',
    kind: 'access-token',
    source: 'https://gitbook.com/docs/developers/gitbook-api/authentication',
    forms: ['gb_api_[A-Za-z0-9]{40}'],
  },
];
