import { describe, expect, it } from 'vitest';
import {
  APP_PAGE,
  assetFor,
  CONTENT_SECURITY_POLICY,
  isAllowedRequest,
  isAppPage,
} from '../../../../electron/main/assets.ts';

describe('assetFor', () => {
  it.each([
    ['the page', 'app://firstfault/index.html', ['index.html']],
    ['a hashed file', 'app://firstfault/assets/index-Bf0d2VPJ.js', ['assets', 'index-Bf0d2VPJ.js']],
    ['query and fragment do not matter', 'app://firstfault/index.html?x=1#y', ['index.html']],
  ])('serves %s', (_name, url, segments) => {
    expect(assetFor(url)?.segments).toEqual(segments);
  });

  it.each([
    'app://firstfault/',
    'app://firstfault/../package.json',
    'app://firstfault/assets/%2e%2e/%2e%2e/etc/passwd',
    'app://firstfault/assets/..%2fmain.cjs',
    'app://firstfault/assets\\..\\main.js',
    'app://firstfault/.hidden.html',
    'app://firstfault/assets//a.js',
    'app://firstfault/a/b/c/d/e/f/g.js',
    'app://firstfault/main.cjs',
    'app://firstfault/__proto__',
    'app://firstfault/x.constructor',
    'app://elsewhere/index.html',
    'app://firstfault:80/index.html',
    'app://user@firstfault/index.html%00',
    'https://firstfault/index.html',
    'file:///etc/passwd',
    'index.html',
    '',
  ])('refuses %s', (url) => {
    expect(assetFor(url)).toBeNull();
  });
});

describe('isAllowedRequest', () => {
  it.each([
    [APP_PAGE, true],
    ['app://firstfault/assets/a.woff2', true],
    ['devtools://devtools/bundled/inspector.html', true],
    ['app://firstfault.evil/index.html', false],
    ['app://firstfault@evil/index.html', false],
    ['app://other/index.html', false],
    ['https://firstfault/index.html', false],
    ['file:///etc/passwd', false],
    ['data:text/html,x', false],
    ['blob:app://firstfault/0f', false],
    ['', false],
  ])('%s: %s', (url, allowed) => {
    expect(isAllowedRequest(url)).toBe(allowed);
  });
});

describe('isAppPage', () => {
  it.each([
    [APP_PAGE, true],
    [`${APP_PAGE}#a`, true],
    [`${APP_PAGE}?a`, false],
    ['app://firstfault/index.html.evil', false],
    ['app://firstfault.evil/index.html', false],
    ['about:blank', false],
    ['', false],
  ])('%s → %s', (url, expected) => {
    expect(isAppPage(url)).toBe(expected);
  });
});

describe('the content policy', () => {
  it('allows our own files and nothing else', () => {
    expect(CONTENT_SECURITY_POLICY).toContain("default-src 'none'");
    expect(CONTENT_SECURITY_POLICY).not.toMatch(/unsafe|data:|blob:|https?:|\*|connect-src/);
  });
});
