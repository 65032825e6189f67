import { createECDH } from 'node:crypto';
import { expect, test } from 'vitest';
import { encryptPush, pushCurve } from './encrypt-push.ts';

test('the example of RFC 8291, appendix A, is encrypted as there', () => {
  const sender = createECDH(pushCurve);
  sender.setPrivateKey(bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'));
  const random = { salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'), sender };
  const keys = {
    publicKey: bytes(
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    ),
    auth: bytes('BTBZMqHH6r4Tts7J_aSIgg'),
  };

  const encrypted = encryptPush(Buffer.from('When I grow up, I want to be a watermelon'), keys, { random });

  expect(Buffer.from(encrypted).toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

test('messages of different lengths have the same size, up to the padded size', () => {
  const receiver = createECDH(pushCurve);
  const keys = { publicKey: receiver.generateKeys(), auth: Buffer.alloc(16, 1) };

  const sizes = ['a', 'b'.repeat(99), 'c'.repeat(100)].map(
    (text) => encryptPush(Buffer.from(text), keys, { paddedBytes: 100 }).byteLength,
  );

  expect(new Set(sizes).size).toBe(1);
});

function bytes(text: string): Buffer {
  return Buffer.from(text, 'base64url');
}
