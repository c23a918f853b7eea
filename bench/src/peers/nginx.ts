import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Peer, PeerAbsent } from './peer.ts';
import { freePort, listening } from './program.ts';

const configuration = (port: number, engine: URL, folder: string): string => `
worker_processes 1;
daemon off;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events { worker_connections 2048; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  keepalive_requests 1000000;
  upstream engine { server ${engine.host}; keepalive 256; keepalive_requests 1000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://engine;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_buffering off;
    }
  }
}
`;

/** nginx with one worker, `proxy_pass` and persistent connections. */
export async function nginx(engine: URL): Promise<Peer> {
  if (spawnSync('nginx', ['-v']).status !== 0)
    throw new PeerAbsent('nginx is not installed (Debian: apt-get install nginx-light)');
  const folder = mkdtempSync(path.join(os.tmpdir(), 'bench-nginx-'));
  const port = await freePort();
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, configuration(port, engine, folder));
  const child = spawn('nginx', ['-c', file, '-p', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
  await listening(port, 10_000);
  return {
    name: 'nginx',
    target: { port, path: '/v1/chat/completions', headers: {} },
    pid: null,
    postmaster: null,
    stop: async () => {
      child.once('exit', () => rmSync(folder, { recursive: true, force: true }));
      child.kill();
    },
  };
}
