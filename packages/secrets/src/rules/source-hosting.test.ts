import { describe, expect, it } from 'vitest';
import { read, written } from '../testing/written.ts';

/** Where developers keep tokens of Git hosts and of what works on repositories. */
const SECRETS = [
  [
    'the address of a remote',
    `[remote "origin"]
	url = https://«url-password ghp_[A-Za-z0-9]{36}»@github.com/acme/shop.git
	fetch = +refs/heads/*:refs/remotes/origin/*
`,
  ],
  ['a clone with a user', 'git clone https://x-access-token:«url-password ghs_[A-Za-z0-9]{36}»@github.com/acme/shop'],
  ['stored credentials of git', 'https://me:«url-password gho_[A-Za-z0-9]{36}»@github.com\n'],
  [
    'the hosts file of a command line client',
    `github.com:
    user: octo
    oauth_token: «github-token gho_[A-Za-z0-9]{36}»
    git_protocol: https
`,
  ],
  [
    'a call of the interface',
    'curl -H "Authorization: token «github-token ghp_[A-Za-z0-9]{36}»" https://api.github.com/user',
  ],
  [
    'a fine-grained token in a shell',
    'gh auth login --with-token <<< «github-fine-grained-token github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}»',
  ],
  [
    'a pipeline',
    `deploy:
  variables:
    GITLAB_TOKEN: "«gitlab-token glpat-[A-Za-z0-9_-]{20}»"
  script:
    - 'curl --header "PRIVATE-TOKEN: «gitlab-token glpat-[A-Za-z0-9]{20}»" "$CI_API_V4_URL/projects"'
`,
  ],
  [
    'a registration of a runner',
    'gitlab-runner register --url https://gitlab.acme.io --token «gitlab-token glrt-[A-Za-z0-9_-]{20}»',
  ],
  ['a newer token, which is routable', 'GITLAB_TOKEN=«gitlab-token glpat-[A-Za-z0-9_-]{27}.01.[a-z0-9]{9}»'],
  ['a push to Bitbucket', 'git push https://me:«url-password ATBB[A-Za-z0-9]{32}»@bitbucket.org/acme/shop.git'],
  ['an Atlassian client', "JIRA_API_TOKEN='«atlassian-api-token ATATT3[A-Za-z0-9_-]{180}=[A-F0-9]{8}»'"],
  [
    'a scan of code',
    'sonar-scanner -Dsonar.host.url=https://sonar.acme.io -Dsonar.token=«sonar-token sqp_[a-f0-9]{40}»',
  ],
  ['a secret of Kubernetes', '  github-token: «github-token ghp_[A-Za-z0-9]{36}»\ntype: Opaque'],
  [
    'a Postman environment',
    '{"values":[{"key":"postman","value":"«postman-key PMAK-[a-f0-9]{24}-[a-f0-9]{34}»","enabled":true}]}',
  ],
  ['an older token under its name', 'GITHUB_CLIENT_SECRET=«github-legacy-secret [a-f0-9]{40}»'],
  [
    'Sourcegraph and Gitea',
    'SRC_ACCESS_TOKEN=«sourcegraph-token sgp_[a-f0-9]{16}_[a-f0-9]{40}»\nGITEA_TOKEN=«gitea-token [a-f0-9]{40}»',
  ],
] as const;

const NONE = [
  ['commits', 'commit «- [a-f0-9]{40}»\nMerge: «- [a-f0-9]{7}» «- [a-f0-9]{7}»\nAuthor: Ann <ann@acme.io>'],
  ['a log in one line', '«- [a-f0-9]{40}» (HEAD -> main, origin/main) Rotate the token of GitHub'],
  ['a pinned action', 'uses: actions/checkout@«- [a-f0-9]{40}» # v4.2.2'],
  ['an index of a difference', 'diff --git a/token.ts b/token.ts\nindex «- [a-f0-9]{7}»..«- [a-f0-9]{7}» 100644'],
  ['an address of a commit', 'https://github.com/acme/shop/commit/«- [a-f0-9]{40}»'],
  ['a submodule', ' «- [a-f0-9]{40}» vendor/secrets (v1.2.0-3-gabcdef0)'],
  ['variables of a workflow', 'GH_TOKEN: ${{ secrets.GITHUB_TOKEN }}\nGITLAB_TOKEN: $CI_JOB_TOKEN'],
  [
    'a masked address',
    'remote: https://***@github.com/acme/shop.git\nhttps://oauth2:[MASKED]@gitlab.com/acme/shop.git',
  ],
  ['documentation', 'Authorization: token ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx or glpat-xxxxxxxxxxxxxxxxxxxx'],
  ['a remote over SSH', 'git@github.com:acme/shop.git and ssh://git@gitlab.acme.io:2222/acme/shop.git'],
  ['a public key', 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI«- [A-Za-z0-9+/]{43}» me@laptop'],
  ['a fingerprint of a key', 'SHA256:«- [A-Za-z0-9+/]{43}» me@laptop (ED25519)'],
] as const;

describe('tokens of Git hosts', () => {
  it.each(SECRETS)('are found and masked, and nothing else, in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });

  it.each(NONE)('are not suspected in %s', (_, template) => {
    const document = written(template);
    expect(read(document.text)).toEqual(document);
  });
});
