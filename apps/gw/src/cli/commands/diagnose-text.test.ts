import { describe, expect, it } from 'vitest';
import { inColumns, type Report, reportText } from './diagnose-run.ts';

const RIGHTS = { mode: '0600', othersRead: false, othersWrite: false, foreign: false };
const OPEN = { mode: '0644', othersRead: true, othersWrite: false, foreign: false };

const FULL: Report = {
  form: 1,
  findings: [
    {
      grade: 'security',
      what: 'A key is there in plain text.',
      where: '~/.gateway/config.yaml:4:13',
      fix: 'Take it out.',
    },
    { grade: 'fault', what: 'It has no prompt.', where: '~/.gateway/agents/a.md:3:1', fix: 'Write it below the ---.' },
  ],
  machine: {
    client: '1.2.3',
    platform: 'darwin',
    release: '25.1.0',
    build: 'Darwin Kernel',
    architecture: 'arm64',
    node: '24.21.0',
    timeZone: 'Asia/Tokyo',
    clock: '2026-11-21T09:30:00.123Z',
  },
  terminal: {
    input: false,
    output: true,
    error: true,
    columns: 80,
    rows: null,
    colors: 16_777_216,
    variables: { TERM: 'xterm-256color', LANG: 'ja_JP.UTF-8' },
    unicode: true,
  },
  proxies: {
    proxies: [
      { variable: 'HTTPS_PROXY', address: 'http://proxy.example:3128', credentials: true },
      { variable: 'http_proxy', address: null, credentials: false },
    ],
    exceptions: ['localhost', '.example.org'],
  },
  authorities: [
    {
      variables: ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'],
      file: '/etc/ca.pem',
      state: 'read',
      certificates: 2,
      expired: 1,
      nextExpiry: '2030-01-01T00:00:00.000Z',
    },
    {
      variables: ['SSL_CERT_FILE'],
      file: '~/ca.pem',
      state: 'no permission',
      certificates: 0,
      expired: 0,
      nextExpiry: null,
    },
  ],
  tools: [
    { name: 'git', file: '/usr/bin/git', version: '2.47.1' },
    { name: 'rg', file: null, version: null },
  ],
  project: {
    currentDirectory: '~/shop/deep',
    directory: '~/shop',
    repository: true,
    foreign: false,
    git: { branch: null, changes: 12, more: true },
  },
  directories: [
    {
      of: 'project',
      path: '~/shop/.gateway',
      state: 'read',
      entries: [
        { name: 'agents', kind: 'directory', bytes: 4096, rights: null },
        { name: 'config.yaml', kind: 'file', bytes: 120, rights: OPEN },
        { name: 'gone', kind: 'file', bytes: null, rights: RIGHTS },
        { name: 'link', kind: 'link', bytes: 4, rights: OPEN },
      ],
      more: true,
    },
    { of: 'home', path: '~/.gateway', state: 'read', entries: [], more: false },
  ],
  configurations: [
    {
      file: '~/shop/.gateway/config.yaml',
      state: 'read',
      bytes: 120,
      sound: true,
      models: [
        {
          name: 'Coder',
          model: 'qwen',
          address: 'https://h/v1',
          key: { as: 'reference', variable: 'KEY', set: false, gatewayForm: null },
        },
        { name: null, model: null, address: null, key: { as: 'none', variable: null, set: false, gatewayForm: null } },
        {
          name: 'c',
          model: null,
          address: null,
          key: { as: 'literal', variable: null, set: true, gatewayForm: false },
        },
      ],
      mcpServers: 1,
      rules: 2,
      prompts: 3,
      references: [
        { name: 'KEY', set: false },
        { name: 'OTHER', set: true },
      ],
    },
    {
      file: '~/.gateway/config.yaml',
      state: 'too large',
      bytes: 100_000_000,
      sound: false,
      models: [],
      mcpServers: 0,
      rules: 0,
      prompts: 0,
      references: [],
    },
  ],
  agents: [
    { file: '~/shop/.gateway/agents/a.md', name: 'reviewer', model: null, hidden: false },
    { file: '~/.gateway/agents/b.md', name: 'reviewer', model: 'Coder', hidden: true },
    { file: '~/.gateway/agents/c.md', name: null, model: null, hidden: false },
  ],
  instructions: [
    { file: '~/shop/AGENTS.md', bytes: 7, used: true },
    { file: '~/shop/CLAUDE.md', bytes: null, used: false },
  ],
};

describe('the report as a person reads it', () => {
  it('has findings first, and then everything that was found', () => {
    expect(reportText(FULL)).toBe(`Diagnostic report of gw 1.2.3, 2026-11-21T09:30:00.123Z

It was written on this machine and not sent anywhere. Read it before you share it.
Left out are secrets, values of variables, and your name; ~ is your home.

Findings
--------
1.  A key is there in plain text. (security)
    Where: ~/.gateway/config.yaml:4:13
    Fix:   Take it out.
2.  It has no prompt. (fault)
    Where: ~/.gateway/agents/a.md:3:1
    Fix:   Write it below the ---.

This machine
------------
Client              gw 1.2.3
Node                24.21.0
System              darwin 25.1.0 (Darwin Kernel), arm64
Clock               2026-11-21T09:30:00.123Z, time zone Asia/Tokyo

Terminal
--------
Terminal at         standard output, error
Size                80 columns, ? rows, 16777216 colours
Encoding            UTF-8
TERM                xterm-256color
LANG                ja_JP.UTF-8

Network
-------
HTTPS_PROXY         http://proxy.example:3128 (credentials left out)
http_proxy          set, but no address
NO_PROXY            localhost, .example.org
NODE_EXTRA_CA_CERTS /etc/ca.pem: 2 certificates, 1 expired, the next expires 2030-01-01T00:00:00.000Z
SSL_CERT_FILE       ~/ca.pem: no permission

Tools
-----
git                 2.47.1, /usr/bin/git
rg                  not found

Project
-------
Current directory   ~/shop/deep
Project             ~/shop, a repository
Branch              none is checked out
Changes             more than 12 files

Directories
-----------
Of the project      ~/shop/.gateway: 4 entries
                    agents  (directory)
                    config.yaml  (120 bytes, 0644, others can read it)
                    gone  (gone, 0600)
                    link  (link, 0644)
                    … and more
Of yours            ~/.gateway: empty

Configuration
-------------
File                ~/shop/.gateway/config.yaml: 120 bytes, valid
Model               Coder: qwen at https://h/v1; key: from KEY, which is not set
Model               without name: no model at no address; key: none
Model               c: no model at no address; key: literal, not of the form of an account key
Besides             1 MCP server, 2 rules, 3 prompts
Variable            KEY is not set
Variable            OTHER is set
File                ~/.gateway/config.yaml: too large

Agents
------
reviewer            ~/shop/.gateway/agents/a.md
reviewer            ~/.gateway/agents/b.md, model Coder, hidden by one of the project
without name        ~/.gateway/agents/c.md: not valid: see the findings

Instructions
------------
File                ~/shop/AGENTS.md: 7 bytes
File                ~/shop/CLAUDE.md: not read: see the findings, not used, for there is an AGENTS.md
`);
  });

  it('reports that there is none', () => {
    const empty: Report = {
      ...FULL,
      findings: [],
      terminal: { ...FULL.terminal, output: false, error: false, columns: null, variables: {}, unicode: false },
      proxies: { proxies: [], exceptions: [] },
      authorities: [],
      project: { currentDirectory: null, directory: null, repository: false, foreign: false, git: null },
      directories: [],
      configurations: [],
      agents: [],
      instructions: [],
    };
    const text = reportText(empty);
    for (const line of [
      'Nothing was found wrong.',
      'Terminal at         no standard stream',
      'Encoding            not UTF-8 by the locale',
      'Proxy               none is set',
      'NO_PROXY            not set',
      'Authorities         none is added',
      'Current directory   is gone',
      'Project             none',
      'File                none: no config.yaml in the directories listed above',
      'Agents              none',
      'Files               none',
    ])
      expect(text.split('\n')).toContain(line);
    expect(text).not.toContain('undefined');
    expect(text).not.toContain('null');
  });

  it('shows that a repository belongs to another user', () => {
    const { project } = FULL;
    expect(reportText({ ...FULL, project: { ...project, foreign: true, git: null } })).toContain(
      'Owner               another user\n',
    );
  });

  it('breaks no word in a terminal, and indents continued lines to the text, not to its label', () => {
    const report = reportText(FULL);
    expect(inColumns(report, null)).toBe(report);
    for (const columns of [60, 80, 200]) {
      const lines = inColumns(report, columns).split('\n');
      for (const line of lines) expect(line.length).toBeLessThanOrEqual(columns);
      expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toBe(report.replaceAll(/\s+/g, ' '));
    }
    const narrow = inColumns(report, 60);
    for (const part of [
      '\nNODE_EXTRA_CA_CERTS /etc/ca.pem: 2 certificates, 1 expired,\n                    the next expires\n                    2030-01-01T00:00:00.000Z\n',
      '\nModel               c: no model at no address; key: literal,\n                    not of the form of an account key\n',
      '\nreviewer            ~/.gateway/agents/b.md, model Coder,\n                    hidden by one of the project\n',
    ])
      expect(narrow).toContain(part);
    const [what, fix] = ['A sentence about something that is wrong there.', 'A sentence about how to fix it all.'];
    const reported = inColumns(reportText({ ...FULL, findings: [{ grade: 'fault', what, where: 'LANG', fix }] }), 40);
    expect(reported).toContain('1.  A sentence about something that is\n    wrong there. (fault)\n    Where: LANG\n');
    expect(reported).toContain('    Fix:   A sentence about how to fix\n           it all.\n');
  });
});
