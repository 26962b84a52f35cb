import { LANGUAGE_COOKIE, LANGUAGE_ENTRY, LANGUAGES } from '@/lib/vocabulary/languages';

/**
 * Runs before the first paint: the chosen theme, or the system's, the width of the sidebar, and from then on whether a
 * pointer or a key was used last. A language that this browser keeps, and that the server was not told, is told to it: once,
 * for a browser without cookies would load the page for ever.
 */
const script = `(function(){
var s;try{s=localStorage}catch(e){}
var m=matchMedia('(prefers-color-scheme: dark)');
function theme(){var c=s&&s.getItem('berth-theme');document.body.classList.toggle('dark',c?c==='dark':m.matches)}
theme();m.addEventListener('change',theme);
try{if(JSON.parse(s.getItem('berth-userPreferences')||'{}').sidebarCollapsed)document.documentElement.dataset.sidebar='collapsed'}catch(e){}
var r=document.documentElement.dataset;
try{
var l=(s.getItem('${LANGUAGE_ENTRY}')||'').toLowerCase().split(/[-_]/)[0],k='${LANGUAGE_COOKIE}='+l;
if(${JSON.stringify(LANGUAGES)}.indexOf(l)>=0&&r.languageOf==='browser'&&l!==document.documentElement.lang&&document.cookie.indexOf(k)<0){
document.cookie=k+';path=/;max-age=31536000;samesite=lax';if(document.cookie.indexOf(k)>=0)location.reload()}
}catch(e){}
addEventListener('pointerdown',function(){r.pointer=''},true);
addEventListener('keydown',function(){delete r.pointer},true);
})()`;

export function FirstPaintScript({ nonce }: { nonce: string | undefined }) {
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />;
}
