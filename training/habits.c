/* One round of stochastic gradients (Adagrad) for the weights of habits, and the likelihood of the moves; see people_habits.py.
 * starts and squares have MOST patterns of SIZE squares for each of the 64 squares; -1 stands for none.
 */
#include <math.h>
#include <stdint.h>

double learn(int count, const uint64_t *p, const uint64_t *o, const uint64_t *legal, const uint8_t *played, int most, int size,
             const int32_t *starts, const int8_t *squares, float *weights, float *sums, float rate) {
    double likelihood = 0;
    for (int n = 0; n < count; n++) {
        int32_t at[64 * 64], ends[64];
        double scores[64], best = -1e30, whole = 0;
        int states[64], moves = 0, own = 0, used = 0;
        for (int s = 0; s < 64; s++) states[s] = (p[n] >> s & 1) + 2 * (o[n] >> s & 1);
        for (uint64_t left = legal[n]; left; left &= left - 1) {
            int s = __builtin_ctzll(left);
            double score = 0;
            for (int k = 0; k < most && starts[s * most + k] >= 0; k++) {
                const int8_t *of = squares + (s * most + k) * size;
                int index = starts[s * most + k];
                for (int j = 0, power = 1; j < size && of[j] >= 0; j++, power *= 3) index += power * states[of[j]];
                at[used++] = index;
                score += weights[index];
            }
            if (s == played[n]) own = moves;
            if (score > best) best = score;
            ends[moves] = used;
            scores[moves++] = score;
        }
        for (int m = 0; m < moves; m++) whole += exp(scores[m] - best);
        likelihood += scores[own] - best - log(whole);
        for (int m = 0, k = 0; rate > 0 && m < moves; m++) {
            float slope = (float)(exp(scores[m] - best) / whole) - (m == own);
            for (; k < ends[m]; k++) {
                sums[at[k]] += slope * slope;
                weights[at[k]] -= rate * slope / sqrtf(1 + sums[at[k]]);
            }
        }
    }
    return likelihood;
}
