#!/usr/bin/env node
// Programs that some tests run for real: Prometheus with promtool, and Chromium. Without them those tests are
// skipped by name. Plain JavaScript without dependencies: it runs before `npm ci`.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const PROGRAMS = [
  { names: ['prometheus', 'promtool'], package: 'prometheus', elsewhere: 'https://prometheus.io/download' },
  {
    names: ['chromium'],
    package: 'chromium',
    elsewhere: 'https://www.chromium.org/getting-involved/download-chromium',
  },
];

const UPDATE_LIMIT_MS = 5 * 60_000;
const INSTALL_LIMIT_MS = 15 * 60_000;
/** Asked by Debian's packages before they start a service; 101 is "forbidden". */
const POLICY = '/usr/sbin/policy-rc.d';
const POLICY_KEPT = `${POLICY}.kept-by-penstock`;

process.exitCode = setUp();

function setUp() {
  const missing = PROGRAMS.filter(({ names }) => !names.every(isInstalled));
  if (missing.length === 0) {
    say('prometheus and chromium are installed');
    return 0;
  }
  if (!isDebian() || process.getuid?.() !== 0) {
    const why = isDebian() ? 'run this as root, or install yourself' : 'install yourself';
    say(`some tests will be skipped; ${why}:`);
    for (const program of missing) say(`  ${program.names.join(', ')}: ${program.elsewhere}`);
    return 0;
  }
  return withoutStartingServices(() => install(missing.map((program) => program.package)));
}

function install(packages) {
  // Old package lists may still do: only the install itself decides.
  if (!apt(['update'], UPDATE_LIMIT_MS)) say('apt-get update failed; trying with the lists there are');
  const installed = apt(['install', '--yes', '--no-install-recommends', ...packages], INSTALL_LIMIT_MS);
  say(installed ? `installed ${packages.join(', ')}` : `apt-get could not install ${packages.join(', ')}`);
  return installed ? 0 : 1;
}

function apt(args, limitMs) {
  const options = [
    'DPkg::Lock::Timeout=120',
    'Acquire::Retries=2',
    'Acquire::http::Timeout=30',
    'Acquire::https::Timeout=30',
    'Dpkg::Options::=--force-confold',
  ];
  const { status } = spawnSync('apt-get', ['-q', ...options.flatMap((option) => ['-o', option]), ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  return status === 0;
}

function withoutStartingServices(work) {
  // With a handler the signal waits until the child is done, and the machine's own policy comes back.
  const stay = () => {};
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, stay);
  if (existsSync(POLICY) && !existsSync(POLICY_KEPT)) renameSync(POLICY, POLICY_KEPT);
  writeFileSync(POLICY, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    return work();
  } finally {
    rmSync(POLICY, { force: true });
    if (existsSync(POLICY_KEPT)) renameSync(POLICY_KEPT, POLICY);
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, stay);
  }
}

function isInstalled(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

function isDebian() {
  try {
    return /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
  } catch {
    return false;
  }
}

function say(text) {
  process.stdout.write(`test:setup: ${text}\n`);
}
