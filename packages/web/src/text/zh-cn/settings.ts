import type { settings as english } from '../en/settings.ts';

export const settings: typeof english = {
  appearance: '外观',
  otherDevice: '在其他设备上登录',
  otherDeviceHelp: '创建一个链接，可让一个浏览器登录一次。用另一台设备的相机扫描其二维码。',
  qrCode: '登录链接的二维码',
  scanCode: '用另一台设备扫描此二维码并打开链接。通知和安装需要 https。',
  onlyThisMachine:
    '此服务器仅监听本机，其他设备无法打开该链接。请在服务器前部署带 TLS 的代理，或使用以下命令重新启动：',
  makeLink: '创建链接',
  makeAnotherLink: '再创建一个链接',
  copyLink: '复制链接',
  linkObserver: '你的令牌是只读的，不能创建链接。',
  linkEnds: (time) => `只能使用一次，有效期至 ${time}。`,
  push: 'Parley 关闭时的通知',
  pushHelp:
    '由此浏览器的推送服务发送，已加密且不含内容。正在使用 Parley 页面时不会发送。点击通知可打开会话。',
  pushQuestion: '会话需要你的输入时',
  pushFinished: '一轮结束时',
  pushUnsupported:
    '此浏览器不支持。需要 https 或 localhost；在 iPhone 和 iPad 上，请先将 Parley 添加到主屏幕。',
  pushUnknown: '无法加载设备列表。请在连接到 Parley 后重新打开此页面。',
  pushDevices: '接收通知的设备',
  pushThis: '（此浏览器）',
  pushUnnamed: '未命名的设备',
  pushSince: (date, token) => `自 ${date} 起，令牌“${token}”`,
  pushRevoke: '撤销',
  access: '访问',
  knownAs: (user) => `其他人会看到你的决定由“${user}”作出。`,
  signOutHelp: '仅退出此浏览器。正在运行的会话会继续运行。',
  about: '关于',
  recordings: '打开录制文件',
  programs: '供程序使用的端点：AAP、ACP、指标',
};
