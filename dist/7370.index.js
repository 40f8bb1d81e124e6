export const id=7370;export const ids=[7370];export const modules={7370:(e,n,i)=>{i.d(n,{openEvidenceFile:()=>openEvidenceFile});var o=i(3024),d=i(6760);function openEvidenceFile(e){return(0,o.mkdirSync)((0,d.dirname)(e),{recursive:!0}),n=>(0,o.appendFileSync)(e,`${n}
`,{mode:384})}}};
