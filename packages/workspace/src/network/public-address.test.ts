import { expect, test } from 'vitest';
import { isPublicAddress } from './public-address.ts';

test.each([
  '127.0.0.1',
  '127.8.8.8',
  '0.0.0.0',
  '10.1.2.3',
  '100.100.100.200',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:a00:1',
  '::7f00:1',
  '64:ff9b::169.254.169.254',
  '2002:7f00:1::',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'ff02::1',
  '2001:db8::1',
  '64:ff9b:1::808:808',
  '64:ff9b:1:808:8:800::',
  '::ffff:0:8.8.8.8',
])('%s is not public', (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '172.32.0.1',
  '100.128.0.1',
  '2606:4700::1111',
  '::ffff:8.8.8.8',
  '64:ff9b::808:808',
])('%s is public', (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

test.each(['8.8.8.8', '::ffff:8.8.8.8', '64:ff9b::808:808', '2606:4700:0::1111', '2606:4700::1111%eth0'])(
  '%s is not public on the machine that has it',
  (address) => {
    const own = (): readonly string[] => ['8.8.8.8', '2606:4700::1111', 'fe80::1%eth0'];
    expect(isPublicAddress(address, own)).toBe(false);
    expect(isPublicAddress(address, () => [])).toBe(true);
  },
);
