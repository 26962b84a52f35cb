/**
 * Runs before the first paint: the chosen theme, or the system's, the width of the sidebar, and from then on whether a
 * pointer or a key was used last.
 */
const script = `(function(){
var s;try{s=localStorage}catch(e){}
var m=matchMedia('(prefers-color-scheme: dark)');
function theme(){var c=s&&s.getItem('berth-theme');document.body.classList.toggle('dark',c?c==='dark':m.matches)}
theme();m.addEventListener('change',theme);
try{if(JSON.parse(s.getItem('berth-userPreferences')||'{}').sidebarCollapsed)document.documentElement.dataset.sidebar='collapsed'}catch(e){}
var r=document.documentElement.dataset;
addEventListener('pointerdown',function(){r.pointer=''},true);
addEventListener('keydown',function(){delete r.pointer},true);
})()`;

export function FirstPaintScript({ nonce }: { nonce: string | undefined }) {
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: script }} />;
}
