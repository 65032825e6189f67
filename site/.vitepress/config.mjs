import { defineConfig } from 'vitepress';
import { toAnchor } from '../../scripts/document-rules.mjs';
import { guides } from './contents.mjs';

const chinese = {
  nav: [{ text: 'API 参考', link: '/reference/' }],
  sidebar: [
    {
      text: '开始使用',
      items: [
        { text: '快速开始', link: '/zh/' },
        { text: '网页界面导览', link: '/zh/web' },
      ],
    },
    { text: '英文文档', items: guides.slice(1).flatMap(({ items }) => items) },
  ],
  outline: { label: '本页内容' },
  docFooter: { prev: '上一页', next: '下一页' },
  darkModeSwitchLabel: '外观',
  sidebarMenuLabel: '菜单',
  returnToTopLabel: '返回顶部',
  langMenuLabel: '切换语言',
};

const chineseSearch = {
  translations: {
    button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
    modal: {
      displayDetails: '显示详情',
      resetButtonTitle: '清除查询',
      backButtonTitle: '关闭搜索',
      noResultsText: '没有结果：',
      footer: { selectText: '选择', navigateText: '切换', closeText: '关闭' },
    },
  },
};

export default defineConfig({
  title: 'Parley',
  description: 'Any coding agent, from any client, in one durable session.',
  srcDir: 'pages',
  outDir: 'dist',
  cleanUrls: true,
  metaChunk: true,
  // Generated: the repository checks its own links, and this the links between pages.
  ignoreDeadLinks: false,
  markdown: { anchor: { slugify: toAnchor } },
  themeConfig: {
    search: { provider: 'local', options: { locales: { zh: chineseSearch } } },
    outline: { level: [2, 3] },
  },
  locales: {
    root: {
      label: 'English',
      lang: 'en',
      themeConfig: { nav: [{ text: 'API reference', link: '/reference/' }], sidebar: guides },
    },
    zh: {
      label: '简体中文',
      lang: 'zh-CN',
      description: '任意编程智能体，任意客户端，一个持久会话。',
      themeConfig: chinese,
    },
  },
});
