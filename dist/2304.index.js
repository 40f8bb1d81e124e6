export const id=2304;export const ids=[2304];export const modules={12304:e=>{e.exports=JSON.parse('{"name":"@gitbeaker/rest","type":"module","main":"index.js","sideEffects":false}')}};
